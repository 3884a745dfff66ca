import type { FastifyInstance, FastifyReply } from 'fastify';
import { unavailable } from './problem.js';

/** Milliseconds that a handler has until it answers, or takes the answer out of the framework's hands. */
const LIMIT_MS = 30_000;
const CHECK_MS = 1_000;

/**
 * Whoever has waited for too long is answered, whatever the handler still does. One timer looks after
 * all requests: one for each costs more than what most of them ask for.
 */
export function useHandlerTimeout(
  fastify: FastifyInstance,
  { limitMs = LIMIT_MS, checkMs = CHECK_MS } = {},
): void {
  /** Since when (monotonic ms) each is waited for; the oldest stands first. */
  const waiting = new Map<FastifyReply, number>();
  const timer = setInterval(() => {
    const due = performance.now() - limitMs;
    for (const [reply, since] of waiting) {
      if (since > due) return;
      waiting.delete(reply);
      if (!reply.sent) void reply.send(unavailable('The answer has taken too long.'));
    }
  }, checkMs).unref();
  fastify.addHook('onRequest', (_request, reply, done) => {
    waiting.set(reply, performance.now());
    done();
  });
  fastify.addHook('onResponse', (_request, reply, done) => {
    waiting.delete(reply);
    done();
  });
  fastify.addHook('onClose', (_fastify, done) => {
    clearInterval(timer);
    done();
  });
}
