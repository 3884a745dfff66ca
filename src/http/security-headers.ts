import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import helmet, { type HelmetOptions } from 'helmet';

/** Paths for programs, not for browsers. */
const PROGRAMS = /^\/(api|health|metrics|provider-callback)\b/;

/** No external or inline content, and no framing. */
const PAGE_POLICY = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", 'data:'],
  connectSrc: ["'self'"],
  fontSrc: ["'self'"],
  formAction: ["'self'"],
  baseUri: ["'none'"],
  frameAncestors: ["'none'"],
};

/** Minimal policy in case a browser opens a response for programs. */
const PROGRAM_POLICY = { defaultSrc: ["'none'"], frameAncestors: ["'none'"] };

/** Security headers for pages, and fewer for programs; both sets are computed once. */
export function useSecurityHeaders(fastify: FastifyInstance, publicUrl: string): void {
  const isSecure = publicUrl.startsWith('https:');
  const strictTransportSecurity = isSecure && { maxAge: 31_536_000, includeSubDomains: false };
  const ofPages = headersOf({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { ...PAGE_POLICY, ...(isSecure ? { upgradeInsecureRequests: [] } : {}) },
    },
    strictTransportSecurity,
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
  });
  const ofPrograms = headersOf({
    contentSecurityPolicy: { useDefaults: false, directives: PROGRAM_POLICY },
    strictTransportSecurity,
    referrerPolicy: false,
    xFrameOptions: false,
    crossOriginOpenerPolicy: false,
    crossOriginResourcePolicy: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.headers(PROGRAMS.test(request.url) ? ofPrograms : ofPages);
    done();
  });
}

function headersOf(options: HelmetOptions): OutgoingHttpHeaders {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  helmet(options)(response.req, response, () => undefined);
  return { ...response.getHeaders() };
}
