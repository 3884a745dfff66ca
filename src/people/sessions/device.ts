import { createHmac, randomBytes } from 'node:crypto';
import { isSameSecret } from '../../common/same-secret.js';
import type { User } from '../../database/people/user.entity.js';

const DEVICE = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/;

type Account = Pick<User, 'id' | 'passwordHash' | 'totpSecret' | 'totpConfirmedAt'>;

/** What the browser keeps once somebody has signed in with it: an id, signed for that account. */
export function newDevice(account: Account): string {
  const id = randomBytes(16).toString('base64url');
  return `${id}.${signatureOf(id, account)}`;
}

/** The id of a browser in which this account has signed in, with all that a sign-in asks for now. */
export function deviceOf(cookie: string | undefined, account: Account): string | null {
  const [, id, signature] = DEVICE.exec(cookie ?? '') ?? [];
  if (!id || !signature) return null;
  return isSameSecret(signature, signatureOf(id, account)) ? id : null;
}

/**
 * The hash of a password holds a salt that nobody outside knows, and ends with the password. Whoever
 * knew that alone is unknown once there is a second factor, or another one.
 */
function signatureOf(id: string, account: Account): string {
  const factor = account.totpConfirmedAt ? account.totpSecret : null;
  return createHmac('sha256', `${account.passwordHash} ${factor ?? ''}`)
    .update(`device ${id} ${account.id}`)
    .digest('base64url');
}
