import type { FastifyReply } from 'fastify';
import type { ApiVersion } from './api-version.js';

/** An answer whose bytes are fixed: it is remembered, or sent again, as it stands. */
export interface RenderedAnswer {
  readonly status: number;
  readonly body: string;
  /** The contract in which the body is written. */
  readonly apiVersion: ApiVersion;
  readonly replayed?: boolean;
  readonly location?: string;
  /** Of what the body shows, where it shows it as it is now. */
  readonly etag?: string;
}

/** Sends an answer as it stands. */
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
