import { Injectable } from '@nestjs/common';
import { sharesOf } from '../../common/ip-network.js';
import { Config } from '../../config/config.js';
import { type Claim, networkClaims, RateLimiter } from '../../merchants/rate-limiter.js';
import type { SignedInContext, PortalContext } from '../portal-context.js';
import { Refusal } from '../refusal.js';

const EMAIL_MAX = 254;
/** The networks of one site can use a fifth of an account's budget for unauthenticated attempts. */
const SITE_SHARE = 1 / 4;

/** A permitted attempt, or several in a period. */
export class LimitedAttempt {
  constructor(readonly giveBack: () => Promise<void>) {}

  /** Spends the attempt on the work; refunds it if the work cannot run now. */
  async spend<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      await this.giveBack();
      throw error;
    }
  }
}

export const tooManyAttempts = (): Refusal =>
  new Refusal(
    429,
    'Too many tries',
    'Wait a minute, then try again. If you forgot your password, ask for a new one.',
  );

/** Rate limits for guesses of passwords and codes, and for requested mails. */
@Injectable()
export class AttemptLimitsService {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly config: Config,
  ) {}

  /**
   * Limits sign-ins. Unauthenticated clients spend their own budgets first, and last the one they share with the
   * account's owner. A browser in which the owner has signed in has its own budget.
   * @throws Refusal 429
   */
  signIn(
    { address }: Pick<PortalContext, 'address'>,
    typed: string,
    device: string | null,
  ): Promise<LimitedAttempt> {
    if (device) return this.take([['signIns', `device ${device}`, 1]]);
    const email = typed.slice(0, EMAIL_MAX);
    const [network, site] = sharesOf(address);
    return this.take([
      ['signIns', `${network!.holder} ${email}`, 1],
      ...(site ? [['signIns', `${site.holder} ${email}`, SITE_SHARE] as const] : []),
      ...networkClaims('signInsOfNetwork', address),
      ['signInsOfAccount', email, 1],
    ]);
  }

  /** Limits guesses in a session; no other client can use up this budget. @throws Refusal 429 */
  inSession({ session }: SignedInContext): Promise<LimitedAttempt> {
    return this.take([['signIns', `session ${session.id}`, 1]]);
  }

  /** @throws Refusal 429 */
  ofNetwork({ address }: Pick<PortalContext, 'address'>): Promise<LimitedAttempt> {
    return this.take(networkClaims('signIns', address));
  }

  /** @returns null if one of the budgets is used up */
  async may(...claims: readonly Claim[]): Promise<LimitedAttempt | null> {
    if (!this.config.rateLimits) return new LimitedAttempt(async () => undefined);
    if (!(await this.limiter.takeAll(claims)).granted) return null;
    return new LimitedAttempt(() => this.limiter.giveBack(claims));
  }

  private async take(claims: readonly Claim[]): Promise<LimitedAttempt> {
    const taken = await this.may(...claims);
    if (!taken) throw tooManyAttempts();
    return taken;
  }
}
