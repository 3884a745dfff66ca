import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import helmet, { type HelmetOptions } from 'helmet';

/** What programs read, and no browser shows. */
const PROGRAMS = /^\/(api|health|metrics|provider-callback)\b/;

/** Nothing is loaded from elsewhere, nothing inline runs, and nobody frames a page. */
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

/** All that a browser needs to know which was led to the answer of a program all the same. */
const PROGRAM_POLICY = { defaultSrc: ["'none'"], frameAncestors: ["'none'"] };

/** The same headers go with every page, and fewer with what programs read: both are made once. */
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
