import { Problem } from '../common/problem.js';
import { msUntilToken, type Policy, type Taken } from './token-bucket.js';

export const seconds = (ms: number): number => Math.ceil(ms / 1_000);

/** Says when the next token is there. */
export const rateLimited = (policy: Policy, taken: Taken): Problem =>
  new Problem('rate_limited', {
    headers: { 'retry-after': String(seconds(msUntilToken(policy, taken))) },
  });
