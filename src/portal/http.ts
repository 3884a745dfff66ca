import type { FastifyReply, FastifyRequest } from 'fastify';

/** The form that was sent; empty when something else was. */
export const formOf = ({ body }: FastifyRequest): URLSearchParams =>
  body instanceof URLSearchParams ? body : new URLSearchParams();

/** U+0000 as an address carries it, also inside an address that a form carries. */
const NUL_IN_ADDRESS = /%(?:25)*00/;

/** Whether the address or the form holds the one character that no text in the database may have. */
export function hasNul(request: FastifyRequest): boolean {
  const values = [...formOf(request)].flat();
  const query = formOf(request).get('query') ?? '';
  return NUL_IN_ADDRESS.test(request.url + query) || values.some((text) => text.includes('\0'));
}

/** After a form, and by a GET: a reload sends nothing twice. */
export const goTo = (reply: FastifyReply, url: string): void =>
  void reply.header('cache-control', 'no-store').redirect(url, 303);

/** Where somebody signs in from. */
export const browserOf = (request: FastifyRequest): { address: string; agent: string } => ({
  address: request.ip,
  agent: request.headers['user-agent'] ?? '',
});
