import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { browserName } from '../sessions/browser-name.js';
import type { KnownBrowser } from '../sessions/sessions.service.js';
import { UserNotices } from './user-notices.js';

/** Mails of each kind to one user within a day: who does not heed so many heeds no more. */
export const A_DAY_MAX = 10;

const SENTENCES = {
  'password.changed': 'The password of your account was changed, by somebody who knew the old one.',
  'password.reset': 'Your account has a new password, chosen by a link in a mail to this address.',
  'second-factor.set-up': 'Your account asks for a code at the sign-in from now on.',
  'second-factor.replaced': 'Another app makes the codes for your account from now on.',
  'recovery-codes.renewed': 'Your account has new recovery codes. Those of before work no more.',
  'second-factor.forgotten':
    'An operator took the second step from your account: its password alone signs in.',
} as const;

/** Writes to the owner of an account when somebody changes how it is signed in to, or signs in anew. */
@Injectable()
export class AccountNotifier {
  constructor(private readonly notices: UserNotices) {}

  /**
   * In the transaction of the change.
   * @param address from where it was done
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

  /** In the transaction in which the sign-in is written down: the account does not know the browser. */
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
