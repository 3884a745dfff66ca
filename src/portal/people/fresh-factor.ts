import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { GoTo } from '../refusal.js';
import type { PlacedVisit, SignedVisit } from '../visit.js';
import { GuessesService } from './guesses.service.js';
import { SessionsService } from './sessions.service.js';
import { CodeOwed } from './step-up.js';
import { TotpService } from './totp.service.js';

/** Milliseconds for which a code is good for what moves money. */
export const FRESH_MS = 5 * 60_000;

/** For what a sign-in of this morning is not enough. */
@Injectable()
export class FreshFactor {
  constructor(
    private readonly sessions: SessionsService,
    private readonly totp: TotpService,
    private readonly guesses: GuessesService,
    private readonly clock: Clock,
  ) {}

  /** Whether a form has to ask for a code. */
  isOwed({ session }: SignedVisit): boolean {
    const shownAt = session.secondFactorAt?.getTime() ?? -Infinity;
    return this.clock.now().getTime() - shownAt > FRESH_MS;
  }

  /**
   * Whether the visitor showed a second factor of late, or has typed a right code into the form, with
   * which the session goes on under another token.
   * @throws Refusal 429; 403 when it was wrong too often
   */
  async shown(visit: SignedVisit, form: URLSearchParams): Promise<boolean> {
    if (!this.isOwed(visit)) return true;
    const { userId } = visit.session;
    const take = (): Promise<boolean> => this.totp.take(userId, form.get('code') ?? '');
    if (!(await this.guesses.inSession(visit, 'code', take))) return false;
    const secondFactorAt = this.clock.now();
    await this.sessions.renew(visit, { secondFactorAt }, () => Promise.resolve());
    return true;
  }

  /** For what decides about live mode, as `demand`; test mode needs no code. */
  async demandLive(visit: PlacedVisit, form: URLSearchParams): Promise<void> {
    if (visit.place.mode === 'live') await this.demand(visit, form);
  }

  /**
   * For who has access and where money goes. The form comes again, with a code.
   * @throws CodeOwed while no right code is in the form; GoTo where there is no second factor;
   * Refusal as `shown`
   */
  async demand(visit: SignedVisit, form: URLSearchParams): Promise<void> {
    if (!visit.session.hasSecondFactor) throw new GoTo('/portal/security?needed=change');
    const isTyped = form.has('code');
    const isShown = (isTyped || !this.isOwed(visit)) && (await this.shown(visit, form));
    if (!isShown) throw new CodeOwed(visit.csrf, form, isTyped);
  }
}
