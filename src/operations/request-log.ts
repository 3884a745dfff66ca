import { Logger } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { uuidOf } from '../common/ids.js';

/** What guards and handlers leave on a request. */
interface HandledRequest extends FastifyRequest {
  readonly caller?: { readonly merchantId: string };
  readonly order?: { readonly merchantId: string; readonly txid: string };
}

/** Asked for every few seconds by machines, so they are logged at level debug. */
const POLLED = new Set(['/health/live', '/health/ready', '/metrics']);

/** Logs one line for each finished request. */
export function useRequestLog(app: NestFastifyApplication): void {
  const logger = new Logger('http');
  const fastify = app.getHttpAdapter().getInstance();
  fastify.addHook('onResponse', (request, reply, done) => {
    const line = lineOf(request, reply);
    if (line.status >= 500) logger.warn(line, 'request');
    else if (POLLED.has(line.route)) logger.debug(line, 'request');
    else logger.log(line, 'request');
    done();
  });
}

/** The pattern of the route that answered; an address itself can hold a secret. */
export const routeOf = (request: FastifyRequest): string => request.routeOptions.url ?? 'none';

function lineOf(request: HandledRequest, reply: FastifyReply) {
  return {
    requestId: request.id,
    method: request.method,
    route: routeOf(request),
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    merchant: request.caller?.merchantId ?? request.order?.merchantId,
    txid: request.order?.txid ?? txidOf(request, reply),
  };
}

/** The order that the request names, or that it made. */
function txidOf(request: FastifyRequest, reply: FastifyReply): string | undefined {
  const params = request.params as { txid?: unknown } | undefined;
  const query = request.query as { txid?: unknown; orderTransactionId?: unknown } | undefined;
  const made = /^\/api\/order\/(.+)$/.exec(String(reply.getHeader('location')))?.[1];
  const named = [params?.txid, query?.txid, query?.orderTransactionId, made];
  const ids = named.map((text) => (typeof text === 'string' ? uuidOf(text) : null));
  return ids.find((id) => id !== null);
}
