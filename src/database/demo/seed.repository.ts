import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../database.js';
import { CHECKPOINT_SEEDS, SEED } from './seed.statements.js';

/** Demo orders of a merchant in test mode. */
export interface Seed {
  readonly merchantId: string;
  readonly count: number;
  /** Orders are spread over this many days before `now`. */
  readonly days: number;
  readonly now: Date;
  /** Part of the order ids, to separate runs. */
  readonly run: string;
}

/** Orders per statement, well within the statement timeout. */
const BATCH = 1_000;

const WRITE: Statement = { name: 'seed_orders', text: SEED };
const COUNT: Statement = { name: 'seed_checkpoint', text: CHECKPOINT_SEEDS };

/** Batches between two runs of VACUUM ANALYZE. */
const BATCHES_A_ROUND = 100;

/** Done by autovacuum later, but the planner needs statistics for new rows. */
const TIDY = ['orders', 'payments', 'order_fields', 'transfers'].map((table): Statement => ({
  name: `seed_tidy_${table}`,
  text: `VACUUM (ANALYZE) ${table}`,
}));

/** Generates data for demos and benchmarks. */
@Injectable()
export class SeedRepository {
  constructor(private readonly database: Database) {}

  async insert({ merchantId, count, days, now, run }: Seed): Promise<void> {
    for (let first = 1, batch = 1; first <= count; first += BATCH, batch++) {
      const last = Math.min(first + BATCH - 1, count);
      await this.database.query(WRITE, [merchantId, first, last, count, run, now, days]);
      await this.database.query(COUNT, [merchantId]);
      if (last === count || batch % BATCHES_A_ROUND === 0) await this.tidy();
    }
  }

  private async tidy(): Promise<void> {
    for (const statement of TIDY) await this.database.query(statement, []);
  }
}
