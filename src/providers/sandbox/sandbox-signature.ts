import { createHmac } from 'node:crypto';
import { isSameSecret } from '../../common/same-secret.js';

/** Maximum clock difference of a callback in seconds; more is rejected as a replay. */
export const SANDBOX_TOLERANCE_SECONDS = 300;

/** HMAC-SHA256 over the timestamp and the exact bytes of the body. */
export const sandboxSignature = (secret: string, timestamp: string, body: Buffer): string =>
  createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');

/** @param timestamp seconds of Unix time, as sent */
export function isSandboxSignature(
  secret: string,
  timestamp: unknown,
  signature: unknown,
  body: Buffer,
  now: Date,
): boolean {
  if (typeof timestamp !== 'string' || typeof signature !== 'string') return false;
  if (!/^\d{1,12}$/.test(timestamp) || !/^[\da-f]{64}$/.test(signature)) return false;
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > SANDBOX_TOLERANCE_SECONDS) return false;
  return isSameSecret(signature, sandboxSignature(secret, timestamp, body));
}
