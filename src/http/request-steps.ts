import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Problem } from './problems/problem.js';

/** A check or preparation of a request before its body is read; returns the reason of a rejection. */
export type RequestStep = (request: FastifyRequest, reply: FastifyReply) => Problem | undefined;

/** Decides when a request starts, and whether: calls `begin` with the reason of a rejection, or without one. */
type Admit = (request: FastifyRequest, begin: (refusal?: Problem) => void) => void;

/** Runs all steps in one hook, because Fastify's chain of hooks costs more than most steps. */
export function useRequestSteps(
  fastify: FastifyInstance,
  admit: Admit,
  steps: readonly RequestStep[],
): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    admit(request, (refusal) => {
      done(refusal ?? firstRefusal(steps, request, reply));
    });
  });
}

function firstRefusal(
  steps: readonly RequestStep[],
  request: FastifyRequest,
  reply: FastifyReply,
): Problem | undefined {
  for (const step of steps) {
    const refusal = step(request, reply);
    if (refusal) return refusal;
  }
  return undefined;
}
