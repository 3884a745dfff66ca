import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import cookie from '@fastify/cookie';
import { VERSION_NEUTRAL, VersioningType } from '@nestjs/common';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ipSite, withoutPorts } from './common/ip-network.js';
import { Config } from './config/config.js';
import { useVersions } from './contract/versions/use-versions.js';
import { useRequestContext } from './http/request-context.plugin.js';
import { accepts } from './http/accepts.js';
import { NEWEST_API_VERSION } from './common/api-version.js';
import { BODY_LIMIT, useBodyParsers } from './http/body-parsers.js';
import { type ErrorCode } from './http/problems/errors.js';
import { problemBody } from './http/problems/problem-body.js';
import { useFileForms } from './http/file-form.js';
import { FILE_MS, handlerTimeout } from './http/handler-timeout.js';
import { ProblemFilter, toProblem } from './http/problems/problem.filter.js';
import { Problem } from './http/problems/problem.js';
import { producedBy } from './http/produces.js';
import { type RequestStep, useRequestSteps } from './http/request-steps.js';
import { originForm, requestTarget } from './http/request-target.js';
import { RouteTable } from './http/route-table.js';
import { securityHeaders } from './http/security-headers.js';
import { secretOf } from './merchants/api-key.guard.js';
import { ApiKeysService } from './merchants/api-keys.service.js';
import { useEarlyRateLimits } from './merchants/early-rate-limits.js';
import { weighAnswers } from './merchants/rate-limit.guard.js';
import { RateLimiter } from './merchants/rate-limiter.js';
import { Admission } from './operations/admission.js';
import { Connections } from './operations/connections.js';
import { gracefulStop } from './operations/graceful-stop.js';
import { useRequestLog } from './operations/request-log.js';
import { PortalContextsService } from './people/sessions/portal-contexts.service.js';
import { setupDocs } from './reference/openapi/openapi.js';

/** Milliseconds for the request headers; `handlerTimeout` limits the body. */
const RECEIVE_TIMEOUT_MS = 10_000;

/** Milliseconds for reading the answer to malformed HTTP. */
const FAREWELL_MS = 2_000;

/** Path prefixes outside the versioned API. */
const OUTSIDE_API = [
  'pay',
  'portal',
  'refund-account',
  'sandbox-bank',
  'provider-callback',
  'health',
  'metrics',
  'errors',
  'changelog',
  'docs',
];

/** Pages that share the first word of their path with the API: matched literally, without parameters. */
const PAGES_OUTSIDE_API = [
  'notification-recipient/\\:token{/*rest}',
  'notification-recipient/assets/*rest',
];

/**
 * The service's own cookies have nothing to decode, and decoding costs an exception for each value that is not UTF-8.
 * The type of the plug-in has only the options for writing.
 */
const COOKIES_AS_SENT: object = { decode: (value: string) => value };

/** Paths that a worker process serves. */
const OPERATIONS = /^\/(health\/|metrics(\?|$))/;

/** HTTP server with its limits; `configureApp` adds the rest once the settings are known. */
export function httpAdapter(config: Pick<Config, 'trustProxy' | 'publicUrl'>): FastifyAdapter {
  return new FastifyAdapter({
    bodyLimit: BODY_LIMIT,
    trustProxy:
      typeof config.trustProxy === 'number' ? nearestHops(config.trustProxy) : config.trustProxy,
    requestTimeout: FILE_MS,
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    // `gracefulStop` answers with problem+json instead.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 512 },
    http: {
      headersTimeout: RECEIVE_TIMEOUT_MS,
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: 16 * 1024,
      // A hook answers with a body instead.
      requireHostHeader: false,
    },
    genReqId: () => randomUUID(),
    rewriteUrl: ({ url }: { readonly url?: string | undefined }) => originForm(url),
    logger: false,
    // The service has no Nest middleware.
    skipMiddie: true,
    clientErrorHandler: (error, socket) =>
      answerRaw(socket, (error as NodeJS.ErrnoException).code, config.publicUrl),
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      const problem = toProblem(error);
      const body = problemBody(problem, config.publicUrl, request.id, request.url);
      void reply
        .status(problem.status)
        .header('x-request-id', request.id)
        .type('application/problem+json')
        .send(body);
    },
  });
}

const nearestHops = (count: number) => (_address: string, hop: number) => hop < count;

const RAW_ERRORS: Readonly<Record<string, ErrorCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
};

/** Answers malformed HTTP, which never reaches Fastify, with a problem, too. */
function answerRaw(socket: Socket, code: string | undefined, publicUrl: string): void {
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const problem = new Problem(RAW_ERRORS[code ?? ''] ?? 'malformed_request');
  const requestId = randomUUID();
  const body = problemBody(problem, publicUrl, requestId, '');
  socket.end(
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n` +
      `Content-Type: application/problem+json\r\nX-Request-Id: ${requestId}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  // The connection is half open, and no other limit applies to it.
  setTimeout(() => socket.destroy(), FAREWELL_MS).unref();
}

/**
 * Configuration common to `main` and the tests, before the app listens.
 * @returns the routes, once the app listens
 */
export async function configureApp(app: NestFastifyApplication): Promise<RouteTable> {
  const config = app.get(Config);
  const fastify = app.getHttpAdapter().getInstance();
  const routes = new RouteTable(fastify);
  const serves = (url: string): boolean => config.role !== 'worker' || OPERATIONS.test(url);

  app.setGlobalPrefix('api', {
    exclude: ['/', ...OUTSIDE_API.flatMap((path) => [path, `${path}/*rest`]), ...PAGES_OUTSIDE_API],
  });
  app.enableVersioning({ type: VersioningType.URI, defaultVersion: ['1', VERSION_NEUTRAL] });
  app.useGlobalFilters(
    new ProblemFilter(config.publicUrl, (path) => (serves(path) ? routes.methodsOf(path) : [])),
  );
  app.get(Connections).watch(fastify.server);
  const admission = app.get(Admission);
  useRequestSteps(
    fastify,
    (request, begin) => {
      const { headers } = request.raw;
      const forwarded = headers['x-forwarded-for'];
      if (typeof forwarded === 'string') headers['x-forwarded-for'] = withoutPorts(forwarded);
      admission.enter(request, begin);
    },
    [
      requestTarget(config.publicUrl),
      securityHeaders(config.publicUrl),
      handlerTimeout(fastify),
      contentNegotiation(serves),
      gracefulStop(app),
    ],
  );
  useBodyParsers(fastify);
  useFileForms(fastify);
  await app.register(cookie, { parseOptions: COOKIES_AS_SENT });
  useVersions(fastify);
  useRequestLog(fastify, config.logLevel);
  // Node would reject an unknown expectation without a body; RFC 9110, section 10.1.1, allows ignoring it.
  fastify.server.on('checkExpectation', (...exchange) =>
    fastify.server.emit('request', ...exchange),
  );
  useRequestContext(fastify, ({ ip }) => ipSite(ip));
  if (config.rateLimits) useRateLimits(app);
  setupDocs(app);
  return routes;
}

/** Refuses paths and media types that this process does not serve. */
const contentNegotiation =
  (serves: (url: string) => boolean): RequestStep =>
  (request, reply) => {
    if (!serves(request.url)) return new Problem('route_not_found');
    if (!request.url.startsWith('/api/')) return undefined;
    // Default until the guard has run: errors are the same in every version.
    void reply.header('api-version', NEWEST_API_VERSION).header('cache-control', 'no-store');
    const isAcceptable = accepts(request.headers.accept, producedBy(request));
    return isAcceptable ? undefined : new Problem('not_acceptable');
  };

function useRateLimits(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance();
  const [limiter, keys] = [app.get(RateLimiter), app.get(ApiKeysService)];
  const contexts = app.get(PortalContextsService);
  useEarlyRateLimits(fastify, limiter, (request) => {
    const secret = secretOf(request);
    return secret === undefined ? contexts.isKnown(request) : keys.isKnown(secret);
  });
  weighAnswers(fastify, limiter);
}
