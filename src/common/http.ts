import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiVersion } from './api-version.js';
import type { ErrorCode } from './errors.js';
import { Problem } from './problem.js';
import { InvalidIdempotencyKeyError, parseIdempotencyKey } from './idempotency-key.js';
import { isUuid } from './ids.js';

/** An answer whose bytes are fixed: it is remembered, or sent again, as it stands. */
export interface Answer {
  readonly status: number;
  readonly body: string;
  /** The contract in which the body is written. */
  readonly apiVersion: ApiVersion;
  readonly replayed?: boolean;
  readonly location?: string;
}

/** Sends an answer as it stands. */
export function send(reply: FastifyReply, answer: Answer): string {
  const type = answer.status < 400 ? 'application/json' : 'application/problem+json';
  void reply
    .status(answer.status)
    .type(`${type}; charset=utf-8`)
    .header('api-version', answer.apiVersion);
  if (answer.location) void reply.header('location', answer.location);
  if (answer.replayed) void reply.header('idempotent-replayed', 'true');
  return answer.body;
}

const requestOf = (context: ExecutionContext): FastifyRequest =>
  context.switchToHttp().getRequest<FastifyRequest>();

/** @throws Problem `unknown_parameter` */
export function refuseUnknownParameters(request: FastifyRequest, known: readonly string[]): void {
  const unknown = Object.keys(request.query as object).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new Problem('unknown_parameter', {
    detail: `The query parameter "${unknown.slice(0, 64)}" is unknown here.`,
  });
}

/** The parsed JSON body, before validation. The operation takes no query parameter. */
export const JsonBody = createParamDecorator((_: unknown, context: ExecutionContext): unknown => {
  const request = requestOf(context);
  refuseUnknownParameters(request, []);
  if (!isJson(request)) throw new Problem('unsupported_media_type');
  return request.body;
});

const isJson = (request: FastifyRequest): boolean =>
  /^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '');

/** The `Idempotency-Key` header without its quotes, or undefined. */
export const IdempotencyKey = createParamDecorator((_: unknown, context: ExecutionContext) => {
  try {
    return parseIdempotencyKey(requestOf(context).headers['idempotency-key']);
  } catch (error) {
    if (!(error instanceof InvalidIdempotencyKeyError)) throw error;
    throw new Problem('invalid_idempotency_key', { detail: error.message });
  }
});

/** Stands for the one made last, in the place of an id. Nothing is deleted under this name. */
export const NEWEST = 'newest';

/** The path's `txid`, or a word that the operation takes for one. Nothing else belongs to an order. */
export const Txid = createParamDecorator(
  (word: typeof NEWEST | undefined, context: ExecutionContext): string => {
    const request = requestOf(context);
    refuseUnknownParameters(request, []);
    const { txid } = request.params as { txid: string };
    if (txid === word) return word;
    if (!isUuid(txid)) throw new Problem('order_not_found');
    return txid.toLowerCase();
  },
);

/** An id in the path, and the names that the query may have beside it. What cannot be an id is none. */
export const pathId = (name: string, notFound: ErrorCode, word?: typeof NEWEST) =>
  createParamDecorator(
    (parameters: readonly string[] | undefined, context: ExecutionContext): string => {
      const request = requestOf(context);
      refuseUnknownParameters(request, parameters ?? []);
      const id = (request.params as Record<string, string>)[name] ?? '';
      if (id === word) return id;
      if (!isUuid(id)) throw new Problem(notFound);
      return id.toLowerCase();
    },
  );
