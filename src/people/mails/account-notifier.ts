import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { browserName } from '../sessions/browser-name.js';
import type { KnownBrowser } from '../sessions/sessions.service.js';
import { UserNotices } from './user-notices.js';

/** Maximum mails of each kind per user and day: more would be ignored. */
export const A_DAY_MAX = 10;

const SENTENCES = {
  'password.changed': 'The password of your account was changed with the old password.',
  'password.reset': 'Your account has a new password, chosen by a link in a mail to this address.',
  'second-factor.set-up': 'Your account uses two-factor authentication from now on.',
  'second-factor.replaced': 'Your account uses another authenticator app from now on.',
  'recovery-codes.renewed': 'Your account has new recovery codes. The old ones no longer work.',
  'second-factor.forgotten':
    'An operator turned off two-factor authentication: the password alone signs in to your account.',
} as const;

/** Notifies the owner of an account of changes to its sign-in, and of sign-ins in new browsers. */
@Injectable()
export class AccountNotifier {
  constructor(private readonly notices: UserNotices) {}

  /**
   * Runs in the transaction of the change.
   * @param address network address of the request
   */
  async changed(
    tx: EntityManager,
    userId: string,
    what: keyof typeof SENTENCES,
    address: string,
  ): Promise<void> {
    const data = { text: SENTENCES[what], address };
    const notice = { kind: 'account-changed', merchantId: null, data } as const;
    await this.notices.notifyAtMost(tx, A_DAY_MAX, userId, notice);
  }

  /** Notifies of a sign-in in an unknown browser, in the transaction that records it. */
  async signedIn(
    tx: EntityManager,
    userId: string,
    { address, agent }: KnownBrowser,
  ): Promise<void> {
    const data = { address, browser: browserName(agent) };
    const notice = { kind: 'signed-in', merchantId: null, data } as const;
    await this.notices.notifyAtMost(tx, A_DAY_MAX, userId, notice);
  }
}
