import { Logger } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { uuidOf } from '../common/ids.js';
import { isWritten } from './logger.js';

/** Data that guards and handlers attach to a request. */
interface HandledRequest extends FastifyRequest {
  readonly caller?: { readonly merchantId: string };
  readonly order?: { readonly merchantId: string; readonly txid: string };
}

/** Polled every few seconds, so logged at level debug. */
const POLLED = new Set(['/health/live', '/health/ready', '/metrics']);

const LEVELS = ['debug', 'log', 'warn'] as const;

/**
 * Logs one line per finished request.
 * @param least minimum log level; lines below it are not created
 */
export function useRequestLog(fastify: FastifyInstance, least: string): void {
  const logger = new Logger('http');
  const written = new Set(LEVELS.filter((level) => isWritten(level, least)));
  fastify.addHook('onResponse', (request, reply, done) => {
    const level = levelOf(request, reply);
    if (written.has(level)) logger[level](lineOf(request, reply), 'request');
    done();
  });
}

function levelOf(request: FastifyRequest, { statusCode }: FastifyReply): (typeof LEVELS)[number] {
  if (statusCode >= 500) return 'warn';
  return POLLED.has(routeOf(request)) ? 'debug' : 'log';
}

/** Route pattern; the URL itself may contain a secret. */
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

/** Order that the request names or created. */
function txidOf(request: FastifyRequest, reply: FastifyReply): string | undefined {
  const params = request.params as { txid?: unknown } | undefined;
  const query = request.query as { txid?: unknown; orderTransactionId?: unknown } | undefined;
  const made = /^\/api\/order(?:\/|\?txid=)(.+)$/.exec(String(reply.getHeader('location')))?.[1];
  const named = [params?.txid, query?.txid, query?.orderTransactionId, made];
  const ids = named.map((text) => (typeof text === 'string' ? uuidOf(text) : null));
  return ids.find((id) => id !== null);
}
