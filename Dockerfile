# The service as it is to be run; docs/going-live.md says with what. Node.js is the version of package.json.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=optional
COPY tsconfig.json ormconfig.ts ./
COPY scripts scripts
COPY src src
RUN node scripts/build-if-needed.js
RUN npm prune --omit=dev --omit=optional

FROM node:24.21.0-bookworm-slim
ENV NODE_DISABLE_COMPILE_CACHE=1 NODE_ENV=production HOST=0.0.0.0 PUBLIC_URL=http://localhost:3000
WORKDIR /app
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json LICENSE ./
COPY scripts/start scripts/healthy.js scripts/build-if-needed.js scripts/build.js scripts/
# What the service writes: mails without SMTP_URL, the demo's sign-ins, the embedded database.
RUN install -d -o node -g node -m 700 data
VOLUME /app/data
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "scripts/healthy.js"]
CMD ["scripts/start"]
