import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { Checkpoints } from '../src/ledger/checkpoints.js';
import { TestApp } from './support/app.js';
import type { Client } from './support/client.js';
import { connect, createTables, onPostgres, type TestDatabase } from './support/database.js';
import { count, select } from './support/facts.js';
import { paidOrder } from './support/payouts.js';

/** Enough for a checkpoint. */
const TRANSFERS = 250;

const suite = onPostgres(
  describe,
  'the embedded database has one session: no other one holds a balance',
);

suite('checkpoints of balances', () => {
  let database: TestDatabase;
  let app: TestApp;
  let other: pg.Client;

  beforeAll(async () => {
    database = await createTables();
    app = await TestApp.start({ database });
    other = await connect(database.url);
  });
  afterAll(async () => {
    await other.end();
    await app.stop();
    await database.drop();
  });

  /** A merchant with so many transfers of one payment. */
  async function funded(): Promise<Client> {
    const shop = await app.merchant();
    await paidOrder(shop, 1_000);
    await select(
      app,
      `INSERT INTO transfers SELECT (jsonb_populate_record(t,
         jsonb_build_object('id', gen_random_uuid(), 'occurrence', n))).*
       FROM transfers t CROSS JOIN generate_series(2, $2::integer) n WHERE t.merchant_id = $1`,
      [shop.merchantId, TRANSFERS],
    );
    return shop;
  }
  const open = ({ merchantId }: Client) =>
    count(app, 'transfers', 'merchant_id = $1 AND NOT checkpointed', [merchantId]);

  it('go on with other merchants while the balance of one is locked', async () => {
    const locked = await funded();
    const others = [await funded(), await funded(), await funded()];
    const run = app.get(Checkpoints);
    await select(
      app,
      `INSERT INTO balances (merchant_id, mode, currency, account) VALUES ($1, 'test', 'EUR', 'available')
       ON CONFLICT DO NOTHING`,
      [locked.merchantId],
    );
    await other.query('BEGIN');
    await other.query('SELECT FROM balances WHERE merchant_id = $1 FOR UPDATE', [
      locked.merchantId,
    ]);
    await run.run();
    await other.query('ROLLBACK');
    for (const shop of others) expect(await open(shop)).toBe(0);
    expect(await open(locked)).toBe(TRANSFERS);
    await run.run();
    expect(await open(locked)).toBe(0);
  });
});
