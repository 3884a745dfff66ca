import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/time/clock.js';
import { isFresh } from '../../common/second-factor.js';
import type { MerchantContext, SignedInContext } from '../portal-context.js';
import { GoTo } from '../refusal.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { GuessesService } from './guesses.service.js';
import { SecondFactorRequired } from './step-up.js';
import { TotpService } from './totp.service.js';

/** Requires a recent second factor for sensitive actions. */
@Injectable()
export class FreshFactor {
  constructor(
    private readonly sessions: SessionsService,
    private readonly totp: TotpService,
    private readonly guesses: GuessesService,
    private readonly clock: Clock,
  ) {}

  /** Whether a form has to ask for a code. */
  isRequired({ session }: SignedInContext): boolean {
    return !isFresh(session.secondFactorAt, this.clock.now());
  }

  /**
   * Whether the user showed a second factor recently, or entered a valid code in the form, which renews the session.
   * @throws Refusal 429; 403 after too many wrong codes
   */
  async shown(context: SignedInContext, form: URLSearchParams): Promise<boolean> {
    if (!this.isRequired(context)) return true;
    const { userId } = context.session;
    const take = (): Promise<boolean> => this.totp.take(userId, form.get('code') ?? '');
    if (!(await this.guesses.inSession(context, 'code', take))) return false;
    const secondFactorAt = this.clock.now();
    await this.sessions.renew(context, { secondFactorAt }, () => Promise.resolve());
    return true;
  }

  /** As `demand` for live mode; test mode needs no code. */
  async demandLive(context: MerchantContext, form: URLSearchParams): Promise<void> {
    if (context.access.mode === 'live') await this.demand(context, form);
  }

  /**
   * Required for changes of access and of payout accounts. The form is shown again with a code field.
   * @throws SecondFactorRequired while the form has no valid code; GoTo without a second factor; Refusal as `shown`
   */
  async demand(context: SignedInContext, form: URLSearchParams): Promise<void> {
    if (!context.session.hasSecondFactor) throw new GoTo('/portal/security?needed=change');
    const isTyped = form.has('code');
    const isShown = (isTyped || !this.isRequired(context)) && (await this.shown(context, form));
    if (!isShown) throw new SecondFactorRequired(context.csrf, form, isTyped);
  }
}
