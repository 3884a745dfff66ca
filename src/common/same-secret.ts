import { hash, timingSafeEqual } from 'node:crypto';

/**
 * Compares without telling by its time how much is alike. Of anything: the hashes are compared, which
 * are of one length, whatever was sent.
 */
export const isSameSecret = (one: string | Buffer, other: string | Buffer): boolean =>
  timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'));
