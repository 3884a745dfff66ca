/** Token bucket: refills at `rate` per `periodMs`, up to `burst`. A request takes one token. */
export interface Policy {
  readonly rate: number;
  readonly periodMs: number;
  readonly burst: number;
  /** Maximum debt in bursts, for costs known only afterwards; none by default. */
  readonly debt?: number;
}

/**
 * Tokens `missing` from a full bucket `at` a time (epoch ms), in units of tokens × periodMs. One token is `periodMs`
 * units, and each ms restores `rate` units: integers, so that nothing is lost to rounding.
 */
export interface Bucket {
  readonly missing: number;
  readonly at: number;
}

/** Bucket after a request, and whether a token was available. */
export interface Taken extends Bucket {
  readonly granted: boolean;
}

const capacity = (policy: Policy): number => policy.burst * policy.periodMs;

/** Maximum that can be missing from a bucket. */
export const missingMax = (policy: Policy): number => capacity(policy) * (1 + (policy.debt ?? 0));

/**
 * Takes tokens, or fractions, if available; a negative number returns them. An unused bucket is full. If the clock is
 * set back, no tokens are added, and the bucket refills from the new time.
 */
export function take(policy: Policy, bucket: Bucket | undefined, now: number, tokens = 1): Taken {
  const missing = missingAt(policy, bucket, now);
  const wanted = Math.max(0, missing + tokens * policy.periodMs);
  const granted = wanted <= capacity(policy);
  return { granted, missing: granted ? wanted : missing, at: now };
}

/** Charges tokens afterwards, available or not; later requests wait for them. */
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

/** Whole tokens left. */
export const tokensLeft = (policy: Policy, { missing }: Bucket): number =>
  Math.max(0, Math.floor((capacity(policy) - missing) / policy.periodMs));

/** Milliseconds to refill an empty bucket. */
export const fillMs = (policy: Policy): number => capacity(policy) / policy.rate;

/** Milliseconds to refill a bucket with maximum debt. */
export const longestMs = (policy: Policy): number => missingMax(policy) / policy.rate;

/** Milliseconds until the bucket is full. */
export const msUntilFull = (policy: Policy, { missing }: Bucket): number => missing / policy.rate;

/** Milliseconds until the tokens are available. */
export const msUntilTokens = (policy: Policy, { missing }: Bucket, tokens = 1): number =>
  Math.max(0, missing + tokens * policy.periodMs - capacity(policy)) / policy.rate;
