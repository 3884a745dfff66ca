import type { FastifyReply, FastifyRequest } from 'fastify';

/** The form that was sent; empty when something else was. */
export const formOf = ({ body }: FastifyRequest): URLSearchParams =>
  body instanceof URLSearchParams ? body : new URLSearchParams();

/** After a form, and by a GET: a reload sends nothing twice. */
export const goTo = (reply: FastifyReply, url: string): void =>
  void reply.header('cache-control', 'no-store').redirect(url, 303);

/** Where somebody signs in from. */
export const browserOf = (request: FastifyRequest): { address: string; agent: string } => ({
  address: request.ip,
  agent: request.headers['user-agent'] ?? '',
});
