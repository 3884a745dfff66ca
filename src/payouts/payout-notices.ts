import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/time/clock.js';
import { uuidv7 } from '../common/ids.js';
import { toMajorUnits } from '../common/money/money.js';
import { Database } from '../database/database.js';
import { JobScheduler } from '../database/jobs/job-scheduler.js';
import type { PayoutKey } from '../database/keys.js';
import {
  PayoutNoticeRepository,
  type UnnoticedPayout,
} from '../database/payouts/payout-notice.repository.js';
import { MembershipRepository } from '../database/people/membership.repository.js';
import { UserNoticeRepository } from '../database/people/user-notice.repository.js';
import { UserRepository } from '../database/people/user.repository.js';

/** Limits of one run: payouts and milliseconds. The others follow a minute later. */
const LOOKS_MAX = 1_000;
const RUN_MS = 20_000;
/** Milliseconds between two notices of one payout. */
const PAUSE_MS = 3_600_000;
/** Maximum payouts of a merchant that get a notice within that time. */
const PAYOUTS_MAX = 20;
/** Milliseconds for which former owners of a merchant still receive notices. */
const RECENTLY_CLOSED_MS = 7 * 24 * 3_600_000;

/**
 * Notifies all operators and the merchant's owners when a single operator may approve a payout in which they took part.
 */
@Injectable()
export class PayoutNotices implements OnModuleInit {
  private readonly logger = new Logger('payouts');

  constructor(
    private readonly database: Database,
    private readonly payouts: PayoutNoticeRepository,
    private readonly users: UserRepository,
    private readonly memberships: MembershipRepository,
    private readonly notices: UserNoticeRepository,
    private readonly jobs: JobScheduler,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.register('payout-notices', () => this.run());
  }

  /**
   * Merchants take turns. Any number of processes can run it; each payout is notified once. A changed payout gets a new
   * notice, and the waiting time of a single operator begins with it.
   */
  async run(): Promise<void> {
    const since = new Date(this.clock.now().getTime() - PAUSE_MS);
    const limits = { since, payoutsMax: PAYOUTS_MAX };
    const end = performance.now() + RUN_MS;
    for (const found of await this.payouts.find(limits, LOOKS_MAX)) {
      if (performance.now() > end) return;
      await this.database
        .transaction(async (tx) => {
          const payout = await this.payouts.lock(tx, found, limits);
          if (payout) await this.notify(tx, payout);
        })
        .catch((error: unknown) => this.logAndContinue(error, found));
    }
  }

  /** The next run tries a failed notice again. */
  private logAndContinue(error: unknown, { merchantId, id }: PayoutKey): void {
    const payout = { merchant: merchantId, payout: id };
    this.logger.error({ err: error, ...payout }, 'payout notice failed');
  }

  private async notify(tx: EntityManager, payout: UnnoticedPayout): Promise<void> {
    const { merchantId, id, amount, currency, updatedAt, hours } = payout;
    const now = this.clock.now();
    const createdAt = now < updatedAt ? updatedAt : now;
    const lately = new Date(now.getTime() - RECENTLY_CLOSED_MS);
    // Includes recent operators, so that closing an account briefly does not suppress its mail.
    const operators = (await this.users.operatorsSince(tx, lately)).map((user) => user.id);
    const owners = await this.memberships.ownersSince(tx, merchantId, lately);
    const data = {
      payout: id,
      amount: `${toMajorUnits(amount, currency)} ${currency}`,
      hours: String(hours),
      askedAt: updatedAt.toISOString(),
    };
    const notice = { kind: 'payout-waits', merchantId, data } as const;
    const sending = { createdAt, attempts: 0, nextAttemptAt: createdAt, sentAt: null };
    await this.notices.insert(
      tx,
      [...new Set([...operators, ...owners])].map((userId) => ({
        id: uuidv7(createdAt.getTime()),
        userId,
        ...notice,
        ...sending,
      })),
    );
  }
}
