import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** 256 random bits. */
export const newToken = (): string => randomBytes(32).toString('base64url');

export const isSessionToken = (text: unknown): text is string =>
  typeof text === 'string' && TOKEN.test(text);

/** What the database keeps of a token. */
export const tokenHash = (token: string): Buffer => hash('sha256', token, 'buffer');

/** Follows from the cookie, which other sites can neither read nor set. */
export const csrfOf = (token: string): string =>
  createHmac('sha256', token).update('form').digest('base64url');

export function isCsrf(given: unknown, expected: string): boolean {
  if (typeof given !== 'string' || given.length !== expected.length) return false;
  return timingSafeEqual(Buffer.from(given), Buffer.from(expected));
}
