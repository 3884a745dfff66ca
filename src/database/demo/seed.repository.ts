import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../database.js';
import { SEED } from './seed.statements.js';

/** Invented orders of one merchant, in test mode. */
export interface Seed {
  readonly merchantId: string;
  readonly count: number;
  /** They are spread over so many days before `now`. */
  readonly days: number;
  readonly now: Date;
  /** Part of their ids, so that one run does not meet another. */
  readonly run: string;
}

/** Orders of one statement: far from the time a statement may take. */
const BATCH = 1_000;

const WRITE: Statement = { name: 'seed_orders', text: SEED };

/** Batches between two rounds of tidying up, each of which looks at the new rows alone. */
const BATCHES_A_ROUND = 100;

/** What the database does of its own accord with time; plans for new rows need it. */
const TIDY = ['orders', 'payments', 'order_fields', 'transfers'].map((table): Statement => ({
  name: `seed_tidy_${table}`,
  text: `VACUUM (ANALYZE) ${table}`,
}));

/** Fills the tables for trials and measurements, as no shop could within minutes. */
@Injectable()
export class SeedRepository {
  constructor(private readonly database: Database) {}

  async insert({ merchantId, count, days, now, run }: Seed): Promise<void> {
    for (let first = 1, batch = 1; first <= count; first += BATCH, batch++) {
      const last = Math.min(first + BATCH - 1, count);
      await this.database.query(WRITE, [merchantId, first, last, count, run, now, days]);
      if (last === count || batch % BATCHES_A_ROUND === 0) await this.tidy();
    }
  }

  private async tidy(): Promise<void> {
    for (const statement of TIDY) await this.database.query(statement, []);
  }
}
