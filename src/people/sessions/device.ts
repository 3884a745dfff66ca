import { createHmac, randomBytes } from 'node:crypto';
import { isSameSecret } from '../../common/same-secret.js';
import type { User } from '../../database/people/user.entity.js';

const DEVICE = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/;

type Account = Pick<User, 'id' | 'passwordHash' | 'totpSecret' | 'totpConfirmedAt'>;

/** Cookie of a known browser: an id signed for the account. */
export function newDevice(account: Account): string {
  const id = randomBytes(16).toString('base64url');
  return `${id}.${signatureOf(id, account)}`;
}

/** Id of a browser that has completed a sign-in to this account with all required factors. */
export function deviceOf(cookie: string | undefined, account: Account): string | null {
  const [, id, signature] = DEVICE.exec(cookie ?? '') ?? [];
  if (!id || !signature) return null;
  return isSameSecret(signature, signatureOf(id, account)) ? id : null;
}

/**
 * Signs with the salted password hash, which is secret and changes with the password. A change of the second factor
 * invalidates the signature, too.
 */
function signatureOf(id: string, account: Account): string {
  const factor = account.totpConfirmedAt ? account.totpSecret : null;
  return createHmac('sha256', `${account.passwordHash} ${factor ?? ''}`)
    .update(`device ${id} ${account.id}`)
    .digest('base64url');
}
