import type { FastifyReply } from 'fastify';

/**
 * Takes an answer out of the framework's hands, for one that lasts longer than an answer should. The
 * headers that were set before would be lost without this.
 */
export function hijack(reply: FastifyReply, headers: Readonly<Record<string, string>>): void {
  const kept = Object.entries(reply.getHeaders()).map(([name, value]) => [
    name,
    Array.isArray(value) ? value : String(value),
  ]);
  reply.hijack();
  reply.raw.writeHead(200, { ...Object.fromEntries(kept), ...headers });
}
