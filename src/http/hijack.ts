import type { FastifyReply } from 'fastify';

/** Hijacks a reply for a long-lived answer, and keeps the headers set before. */
export function hijack(reply: FastifyReply, headers: Readonly<Record<string, string>>): void {
  const kept = Object.entries(reply.getHeaders()).map(([name, value]) => [
    name,
    Array.isArray(value) ? value : String(value),
  ]);
  reply.hijack();
  reply.raw.writeHead(200, { ...Object.fromEntries(kept), ...headers });
}
