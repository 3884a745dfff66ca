import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { ipNetwork } from '../../merchants/ip-network.js';
import { type PolicyName, RateLimiter } from '../../merchants/rate-limiter.js';
import { Refusal } from '../refusal.js';
import type { SignedVisit, Visit } from '../visit.js';

const EMAIL_MAX = 254;

type Bucket = readonly [policy: PolicyName, owner: string];

/** Puts a try back that was right: only wrong ones count. */
export type GiveBack = () => Promise<void>;

export const tooManyTries = (): Refusal =>
  new Refusal(
    429,
    'Too many tries',
    'Wait a minute, then try again. If you forgot your password, ask for a new one.',
  );

/** How often somebody may guess a password or a code, and have mails sent. */
@Injectable()
export class TriesService {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly config: Config,
  ) {}

  /**
   * Strangers use up what they share with nobody first, and what they share with the account's owner
   * last. A browser in which the owner has signed in before shares nothing with them.
   * @throws Refusal 429
   */
  signIn({ address }: Pick<Visit, 'address'>, typed: string, device: string | null) {
    if (device) return this.take([['signIns', `device ${device}`]]);
    const network = ipNetwork(address);
    const email = typed.slice(0, EMAIL_MAX);
    return this.take([
      ['signIns', `${network} ${email}`],
      ['signInsOfNetwork', network],
      ['signInsOfAccount', email],
    ]);
  }

  /** What somebody types who is signed in, or half: nobody outside can use that up. @throws Refusal 429 */
  inSession({ session }: SignedVisit): Promise<GiveBack> {
    return this.take([['signIns', `session ${session.id}`]]);
  }

  /** @throws Refusal 429 */
  async takeFrom({ address }: Pick<Visit, 'address'>): Promise<void> {
    await this.take([['signIns', ipNetwork(address)]]);
  }

  async may(policy: PolicyName, owner: string): Promise<boolean> {
    return !this.config.rateLimits || (await this.limiter.take(policy, owner)).granted;
  }

  private async take(buckets: readonly Bucket[]): Promise<GiveBack> {
    for (const [policy, owner] of buckets) {
      if (!(await this.may(policy, owner))) throw tooManyTries();
    }
    return async () => {
      if (!this.config.rateLimits) return;
      for (const [policy, owner] of buckets) await this.limiter.take(policy, owner, -1);
    };
  }
}
