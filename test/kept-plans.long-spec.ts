import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { TableStatistics } from '../src/database/schema/table-statistics.js';
import { TestApp } from './support/app.js';
import { createTables, onPostgres } from './support/database.js';
import { select } from './support/facts.js';
import { paidOrder } from './support/payouts.js';

/** Orders and payments of one merchant that are added while plans from empty tables are cached. */
const ROWS = 50_000;
/** Rows of a statement, to stay within its time limit. */
const BATCH = 2_500;
/** From the sixth run on, a prepared statement may keep its plan. */
const KEPT_AFTER = 20;
const READS = 20;
/** Rows of orders and payments that a request may read; it needs one of each. */
const ROWS_MAX = 10;
/** A session reports its row counts with its first statement after this time, in milliseconds. */
const REPORTED_MS = 1_500;
const POOL = 2;

const COPY_ORDERS = `INSERT INTO orders SELECT (jsonb_populate_record(r, jsonb_build_object('txid', gen_random_uuid(),
    'order_merchant_id', 'copy-' || n, 'page_token', 'copy-' || n))).*
  FROM orders r, generate_series($2::integer, $3::integer) n WHERE r.txid = $1`;
const COPY_PAYMENTS = `INSERT INTO payments SELECT (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid(),
    'txid', o.txid, 'provider_reference', 'copy-' || n))).*
  FROM payments p, generate_series($2::integer, $3::integer) n
  JOIN orders o ON o.page_token = 'copy-' || n WHERE p.txid = $1`;
const ROWS_READ = `SELECT sum(seq_tup_read + idx_tup_fetch)::integer AS rows FROM pg_stat_user_tables
  WHERE relname IN ('orders', 'payments')`;

onPostgres(it, 'the embedded database counts no rows')(
  'plans that were cached for empty tables read few rows once the job has seen that the tables have grown',
  async () => {
    await using stack = new AsyncDisposableStack();
    const database = await createTables();
    stack.defer(() => database.drop());
    const app = await TestApp.start({ database, env: { DATABASE_POOL: String(POOL) } });
    stack.defer(() => app.stop());
    for (const table of ['orders', 'payments'])
      await select(app, `ALTER TABLE ${table} SET (autovacuum_enabled = off)`);
    const shop = await app.merchant();
    const order = await paidOrder(shop, 1_000);
    const { pathname } = new URL(order.paymentPageUrl);
    const byOwnId = `orderMerchantId=${order.orderMerchantId}`;
    const ways = {
      read: () => shop.send('GET', `/api/order?txid=${order.txid}`),
      'read by own id': () => shop.send('GET', `/api/order?${byOwnId}`),
      status: () => shop.send('GET', `/api/order/status?${byOwnId}`),
      page: () => fetch(`${app.url}${pathname}`),
    };
    const repeat = async (ask: () => Promise<Response>, times: number) => {
      for (let n = 0; n < times; n++) expect((await ask()).status).toBe(200);
    };
    for (const ask of Object.values(ways)) await repeat(ask, KEPT_AFTER);
    for (let first = 1; first <= ROWS; first += BATCH)
      for (const copy of [COPY_ORDERS, COPY_PAYMENTS])
        await select(app, copy, [order.txid, first, first + BATCH - 1]);
    await app.get(TableStatistics).run();
    const rowsRead = async (): Promise<number> => {
      await sleep(REPORTED_MS);
      await Promise.all(Array.from({ length: POOL }, () => select(app, 'SELECT pg_sleep(0.1)')));
      return (await select<{ rows: number }>(app, ROWS_READ))[0]!.rows;
    };
    for (const [way, ask] of Object.entries(ways)) {
      // The least of three: counts of earlier statements may be reported meanwhile.
      const found: number[] = [];
      for (let round = 0; round < 3; round++) {
        const before = await rowsRead();
        await repeat(ask, READS);
        found.push(((await rowsRead()) - before) / READS);
      }
      const rows = Math.min(...found);
      process.stderr.write(`${way}: ${rows} rows\n`);
      expect(rows).toBeLessThanOrEqual(ROWS_MAX);
    }
  },
  120_000,
);
