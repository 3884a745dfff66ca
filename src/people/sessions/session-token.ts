import { createHmac, hash, randomBytes } from 'node:crypto';
import { isSameSecret } from '../../common/same-secret.js';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** 256 random bits. */
export const newToken = (): string => randomBytes(32).toString('base64url');

export const isSessionToken = (text: unknown): text is string =>
  typeof text === 'string' && TOKEN.test(text);

/** Hash that the database stores. */
export const tokenHash = (token: string): Buffer => hash('sha256', token, 'buffer');

/** Derived from the cookie, which other sites can neither read nor set. */
export const csrfOf = (token: string): string =>
  createHmac('sha256', token).update('form').digest('base64url');

export const isCsrf = (given: unknown, expected: string): boolean =>
  typeof given === 'string' && isSameSecret(given, expected);
