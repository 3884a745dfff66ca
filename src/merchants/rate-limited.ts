import { Problem } from '../http/problems/problem.js';
import { msUntilTokens, type Policy, type Taken } from '../overload/token-bucket.js';

export const seconds = (ms: number): number => Math.ceil(ms / 1_000);

/** `Retry-After` until the tokens are available. */
export const rateLimited = (policy: Policy, taken: Taken, tokens = 1): Problem =>
  new Problem('rate_limited', {
    headers: { 'retry-after': String(seconds(msUntilTokens(policy, taken, tokens))) },
  });
