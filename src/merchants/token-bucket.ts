/** `rate` tokens drip into a bucket every `periodMs`, until it holds `burst`. A request takes one. */
export interface Policy {
  readonly rate: number;
  readonly periodMs: number;
  readonly burst: number;
  /** So many times its burst a bucket can owe, for what was known only when it was done; none unless said. */
  readonly debt?: number;
}

/**
 * What is `missing` from a full bucket `at` a time (epoch ms), counted in tokens × periodMs. One
 * token is `periodMs` of it, and each ms brings `rate` of it back: whole numbers all, so that
 * nothing is lost to rounding.
 */
export interface Bucket {
  readonly missing: number;
  readonly at: number;
}

/** The bucket after a request, and whether the request found a token. */
export interface Taken extends Bucket {
  readonly granted: boolean;
}

const capacity = (policy: Policy): number => policy.burst * policy.periodMs;

/** The most that can be missing from a bucket. */
export const missingMax = (policy: Policy): number => capacity(policy) * (1 + (policy.debt ?? 0));

/**
 * Takes so many tokens, or a part of one, if they are there; a negative number puts them back. A bucket
 * nobody has used yet is full. A clock that was set back brings no tokens, and the bucket goes on filling
 * from the new time: nobody waits for the old one.
 */
export function take(policy: Policy, bucket: Bucket | undefined, now: number, tokens = 1): Taken {
  const missing = missingAt(policy, bucket, now);
  const wanted = Math.max(0, missing + tokens * policy.periodMs);
  const granted = wanted <= capacity(policy);
  return { granted, missing: granted ? wanted : missing, at: now };
}

/** Takes tokens for what was done already, whether they are there or not: those who come next wait for them. */
export function charge(
  policy: Policy,
  bucket: Bucket | undefined,
  now: number,
  tokens: number,
): Taken {
  const missing = missingAt(policy, bucket, now) + tokens * policy.periodMs;
  return { granted: true, missing: Math.min(missingMax(policy), missing), at: now };
}

function missingAt(policy: Policy, bucket: Bucket | undefined, now: number): number {
  const elapsed = Math.max(0, now - (bucket?.at ?? now));
  return Math.max(0, Math.min(missingMax(policy), bucket?.missing ?? 0) - elapsed * policy.rate);
}

/** Whole tokens that are left. */
export const tokensLeft = (policy: Policy, { missing }: Bucket): number =>
  Math.max(0, Math.floor((capacity(policy) - missing) / policy.periodMs));

/** Milliseconds in which an empty bucket fills up. */
export const fillMs = (policy: Policy): number => capacity(policy) / policy.rate;

/** Milliseconds in which the emptiest bucket fills up, with all that it owes. */
export const longestMs = (policy: Policy): number => missingMax(policy) / policy.rate;

/** Milliseconds until the bucket is full. */
export const msUntilFull = (policy: Policy, { missing }: Bucket): number => missing / policy.rate;

/** Milliseconds until the next request finds so many tokens. */
export const msUntilTokens = (policy: Policy, { missing }: Bucket, tokens = 1): number =>
  Math.max(0, missing + tokens * policy.periodMs - capacity(policy)) / policy.rate;
