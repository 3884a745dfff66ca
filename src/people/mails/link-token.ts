import { uuidv7 } from '../../common/ids.js';
import type { UserLink } from '../../database/people/user-link.entity.js';
import { newToken, tokenHash } from '../sessions/session-token.js';

const HOUR_MS = 3_600_000;
export const RESET_LIFE_MS = HOUR_MS;
export const INVITATION_LIFE_MS = 7 * 24 * HOUR_MS;

type Fields = Pick<UserLink, 'email'> &
  (
    | { readonly kind: 'reset' }
    | ({ readonly kind: 'invitation' } & Pick<UserLink, 'merchantId' | 'role' | 'createdBy'>)
  );

/** A token with its expiry. */
export function freshToken(kind: UserLink['kind'], now: Date) {
  const token = newToken();
  const life = kind === 'reset' ? RESET_LIFE_MS : INVITATION_LIFE_MS;
  return {
    token,
    tokenHash: tokenHash(token),
    createdAt: now,
    expiresAt: new Date(now.getTime() + life),
  };
}

/** A link whose mail is due now. */
export const newLink = (fields: Fields, now: Date): UserLink => ({
  id: uuidv7(now.getTime()),
  merchantId: null,
  role: null,
  createdBy: null,
  ...fields,
  ...freshToken(fields.kind, now),
  usedAt: null,
  attempts: 0,
  nextAttemptAt: now,
  sentAt: null,
});

/** Path of a link. Possession of the link is sufficient to use it. */
export const linkPath = (kind: UserLink['kind'], token: string): string =>
  `/portal/${kind}/${token}`;
