import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const FOLDER = path.join(import.meta.dirname, 'baseline');

/**
 * Creates a part of the schema of version 1.0.0 from SQL files in `baseline/`. The order of a table's indexes matters:
 * without statistics, as on the embedded database, the planner takes the first of equally good ones.
 */
abstract class Baseline implements MigrationInterface {
  protected abstract readonly files: readonly string[];

  async up(runner: QueryRunner): Promise<void> {
    for (const file of this.files)
      await runner.query(readFileSync(path.join(FOLDER, `${file}.sql`), 'utf8'));
  }

  down(): Promise<void> {
    return Promise.reject(
      new Error('Version 1.0.0 has the first schema. There is none before it.'),
    );
  }
}

/** Ordered so that foreign keys reference existing tables. */
export class Merchants1795651200001 extends Baseline {
  protected readonly files = ['merchants'];
}
export class People1795651200002 extends Baseline {
  protected readonly files = ['people'];
}
export class Orders1795651200003 extends Baseline {
  protected readonly files = ['orders'];
}
export class Payments1795651200004 extends Baseline {
  protected readonly files = ['payments'];
}
export class Notifications1795651200005 extends Baseline {
  protected readonly files = ['notifications'];
}
export class Ledger1795651200006 extends Baseline {
  protected readonly files = ['ledger'];
}
export class Payouts1795651200007 extends Baseline {
  protected readonly files = ['payouts', 'refunds'];
}
export class Bank1795651200008 extends Baseline {
  protected readonly files = ['bank'];
}
export class Operations1795651200009 extends Baseline {
  protected readonly files = ['operations'];
}

/** Functions and triggers of all areas. They read tables and call functions of other areas. */
export class Rules1795651200010 extends Baseline {
  protected readonly files = [
    'people.rules',
    'merchants.rules',
    'orders.rules',
    'payments.rules',
    'notifications.rules',
    'ledger.rules',
    'payouts.rules',
    'refunds.rules',
    'bank.rules',
  ];

  override async up(runner: QueryRunner): Promise<void> {
    // A function may call one that a later file creates.
    await runner.query('SET LOCAL check_function_bodies = off');
    await super.up(runner);
  }
}
