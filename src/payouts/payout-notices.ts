import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/clock.js';
import { uuidv7 } from '../common/ids.js';
import { toMajorUnits } from '../common/money.js';
import { Database } from '../database/database.js';
import { JobQueue } from '../database/job-queue.js';
import {
  PayoutNoticeRepository,
  type UnnoticedPayout,
} from '../database/payouts/payout-notice.repository.js';
import { MembershipRepository } from '../database/people/membership.repository.js';
import { UserNoticeRepository } from '../database/people/user-notice.repository.js';
import { UserRepository } from '../database/people/user.repository.js';

/** Payouts of which one run tells; the others come a minute later. */
const PAYOUTS_MAX = 100;
/** Milliseconds for which somebody still hears of a merchant that he owned. */
const LATELY_MS = 7 * 24 * 3_600_000;

/** Writes to all operators and the merchant's owners when a single operator may approve what he had a hand in. */
@Injectable()
export class PayoutNotices implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly payouts: PayoutNoticeRepository,
    private readonly users: UserRepository,
    private readonly memberships: MembershipRepository,
    private readonly notices: UserNoticeRepository,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.register('payout-notices', () => this.run());
  }

  /** However many processes run it at once, each payout is told of once. */
  async run(): Promise<void> {
    for (const found of await this.payouts.find(PAYOUTS_MAX))
      await this.database.transaction(async (tx) => {
        const payout = await this.payouts.lock(tx, found);
        if (payout) await this.tell(tx, payout);
      });
  }

  private async tell(tx: EntityManager, payout: UnnoticedPayout): Promise<void> {
    const { merchantId, id, amount, currency, updatedAt, hours } = payout;
    const now = this.clock.now();
    const createdAt = now < updatedAt ? updatedAt : now;
    const lately = new Date(now.getTime() - LATELY_MS);
    // Whoever closes the account of another operator for a moment keeps no mail from him.
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
