import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { ipNetwork } from '../../merchants/ip-network.js';
import { type PolicyName, RateLimiter } from '../../merchants/rate-limiter.js';
import { Refusal } from '../refusal.js';
import type { Visit } from '../visit.js';

const EMAIL_MAX = 254;

const tooManyTries = (): Refusal =>
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
   * By address and by account, so that neither many accounts nor many addresses help.
   * @throws Refusal 429
   */
  async take({ address }: Pick<Visit, 'address'>, email: string): Promise<void> {
    for (const owner of [ipNetwork(address), email.slice(0, EMAIL_MAX)]) {
      if (!(await this.may('signIns', owner))) throw tooManyTries();
    }
  }

  /** @throws Refusal 429 */
  async takeFrom({ address }: Pick<Visit, 'address'>): Promise<void> {
    if (!(await this.may('signIns', ipNetwork(address)))) throw tooManyTries();
  }

  async may(policy: PolicyName, owner: string): Promise<boolean> {
    return !this.config.rateLimits || (await this.limiter.take(policy, owner)).granted;
  }
}
