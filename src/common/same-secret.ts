import { hash, timingSafeEqual } from 'node:crypto';

/** Compares in constant time: the SHA-256 hashes are compared, which always have the same length. */
export const isSameSecret = (one: string | Buffer, other: string | Buffer): boolean =>
  timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'));
