import type { FastifyReply } from 'fastify';
import type { ApiVersion } from '../common/api-version.js';

/** A rendered answer that can be stored and sent again unchanged. */
export interface RenderedAnswer {
  readonly status: number;
  readonly body: string;
  /** API version of the body. */
  readonly apiVersion: ApiVersion;
  readonly replayed?: boolean;
  readonly location?: string;
  /** Tag of the current state, if the body shows it. */
  readonly etag?: string;
}

/** Sends a rendered answer. */
export function send(reply: FastifyReply, answer: RenderedAnswer): string {
  const type = answer.status < 400 ? 'application/json' : 'application/problem+json';
  void reply
    .status(answer.status)
    .type(`${type}; charset=utf-8`)
    .header('api-version', answer.apiVersion);
  if (answer.location) void reply.header('location', answer.location);
  if (answer.etag) void reply.header('etag', answer.etag);
  if (answer.replayed) void reply.header('idempotent-replayed', 'true');
  return answer.body;
}
