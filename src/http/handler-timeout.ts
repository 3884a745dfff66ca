import type { FastifyInstance, FastifyReply } from 'fastify';
import { isFileArriving } from './file-form.js';
import { Problem, unavailable } from './problem.js';

/** Milliseconds that a handler has until it answers, or takes the answer out of the framework's hands. */
const LIMIT_MS = 30_000;
/** Milliseconds in which a body has to be complete, or a form has to have come as far as its file. */
const RECEIVE_MS = 10_000;
/** Milliseconds that a file may take until it has come and was answered. */
export const FILE_MS = 600_000;
const CHECK_MS = 1_000;

/**
 * Whoever has waited for too long is answered, whatever the handler still does, and who sends too slowly is sent away.
 * One timer looks after all requests: one for each costs more than what most of them ask for.
 */
export function useHandlerTimeout(
  fastify: FastifyInstance,
  { limitMs = LIMIT_MS, receiveMs = RECEIVE_MS, checkMs = CHECK_MS } = {},
): void {
  /** Since when (monotonic ms) each is waited for; the oldest stands first. */
  const waiting = new Map<FastifyReply, number>();
  const problemOf = ({ request }: FastifyReply, ms: number): Problem | undefined => {
    const { fileForm } = request.routeOptions.config as { fileForm?: boolean };
    if (ms >= (fileForm ? FILE_MS : limitMs)) return unavailable('The answer has taken too long.');
    const isInTime = request.raw.complete || (fileForm && isFileArriving(request.raw));
    return isInTime ? undefined : new Problem('request_timeout');
  };
  const timer = setInterval(() => {
    const now = performance.now();
    for (const [reply, since] of waiting) {
      if (now - since < Math.min(limitMs, receiveMs)) return;
      const problem = problemOf(reply, now - since);
      if (!problem) continue;
      waiting.delete(reply);
      if (problem.code === 'request_timeout') void reply.header('connection', 'close');
      if (!reply.sent) void reply.send(problem);
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
