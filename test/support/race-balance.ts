import { expect } from '@jest/globals';
import type { Payout } from '../../src/database/payouts/payout.entity.js';
import { PayoutRepository } from '../../src/database/payouts/payout.repository.js';
import { PayoutsService } from '../../src/payouts/payouts.service.js';
import type { TestApp } from './app.js';
import { connect, type TestDatabase } from './database.js';
import { count } from './facts.js';
import type { Outcome } from './outcome.js';
import { expectHealthy, expectSound } from './payout-invariants.js';
import { balances, type Cashier, paidOrder } from './payouts.js';

/** How often the database had to end one of two transactions that waited for each other. */
async function deadlocksOf({ url }: TestDatabase): Promise<number> {
  const session = await connect(url);
  const sql = 'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()';
  const { rows } = await session.query<{ deadlocks: string }>(sql);
  await session.end();
  return Number(rows[0]!.deadlocks);
}

/**
 * What must be true when all races are over. The services stop before the deadlocks are counted: a
 * session tells what happened to it when it ends.
 */
export async function expectGoodEnd(
  database: TestDatabase,
  ...apps: [TestApp, ...TestApp[]]
): Promise<void> {
  await expectHealthy(apps[0]);
  await Promise.all(apps.map((app) => app.stop()));
  const deadlocks = database.isPostgres ? await deadlocksOf(database) : 0;
  await database.drop();
  expect({ deadlocks }).toEqual({ deadlocks: 0 });
}

export const isOk = (outcome: Outcome): boolean => outcome === 'ok';

/** What the merchant of a race has, and what must be true of it after each round. */
export class RaceBalance {
  constructor(
    private readonly app: TestApp,
    readonly cashier: Cashier,
  ) {}

  async available(): Promise<number> {
    return (await balances(this.app, this.cashier.shop))['EUR']?.['available'] ?? 0;
  }

  async pay(amount: number): Promise<void> {
    await paidOrder(this.cashier.shop, amount);
  }

  find({ id }: Pick<Payout, 'id'>): Promise<Payout | null> {
    return this.app.get(PayoutRepository).find(this.cashier.scope, id);
  }

  async eventsOf(payout: Payout): Promise<string[]> {
    return (await this.app.get(PayoutRepository).events(payout)).map(({ type }) => type);
  }

  /** Files for the bank that a payout stands in. */
  filesWith({ id }: Pick<Payout, 'id'>): Promise<number> {
    const isIn = `content LIKE '%' || $1 || '%' AND not_sent_at IS NULL`;
    return count(this.app, 'payout_files', isIn, [id.replaceAll('-', '')]);
  }

  /** The sums are right, and nobody got what was not there. */
  async expectSound(): Promise<void> {
    await expectSound(this.app, [this.cashier.shop.merchantId]);
    expect(await this.available()).toBeGreaterThanOrEqual(0);
  }

  /** Gives everything back that can be. */
  async release(): Promise<void> {
    const statuses = ['pending_approval', 'approved'] as const;
    const page = { before: null, statuses, limit: 100 };
    const { scope } = this.cashier;
    for (const { id } of await this.app.get(PayoutRepository).list(scope, page)) {
      await this.app.get(PayoutsService).cancel(scope, id);
    }
  }

  /** A payout of all that is there, which is more in every round. */
  async askForAll(): Promise<Payout> {
    await this.release();
    await this.pay(1_000);
    return this.cashier.request(await this.available());
  }
}
