import type { FastifyInstance, FastifyRequest } from 'fastify';
import { TAKES_BODY } from '../http/body-parsers.js';
import type { PolicyName, RateLimiter } from './rate-limiter.js';

/** Rate limits of unauthenticated clients by the first segment of the path. */
const POLICIES: ReadonlyMap<string, PolicyName> = new Map([
  ['api', 'keys'],
  ['provider-callback', 'callbacks'],
  ['portal', 'visits'],
  ['pay', 'pages'],
  ['refund-account', 'pages'],
  ['notification-recipient', 'pages'],
  ['sandbox-bank', 'bank'],
]);

/**
 * Answers 429 before the body is read when the network of an unauthenticated client has no request left. Guards count
 * the request; they run only after the body.
 * @param isKnown whether the request has a key or session that this process has found, which has a limit of its own
 */
export function useEarlyRateLimits(
  fastify: FastifyInstance,
  limiter: RateLimiter,
  isKnown: (request: FastifyRequest) => boolean,
): void {
  fastify.addHook('preParsing', (request, _reply, _payload, done) => {
    const policy = POLICIES.get(request.url.split(/[/?]/, 2)[1]!);
    const isEarly = policy !== undefined && TAKES_BODY.has(request.method);
    const refusal = isEarly ? limiter.refusalOf(policy, request.ip) : null;
    done(refusal && isKnown(request) ? null : refusal);
  });
}
