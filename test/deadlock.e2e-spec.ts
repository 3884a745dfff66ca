import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { TestApp } from './support/app.js';
import type { Client } from './support/client.js';
import { connect, createTables, onPostgres, type TestDatabase } from './support/database.js';
import { count, factsOf, untilBlocked } from './support/facts.js';

/** The request looks for a deadlock after this time, the other session much later: the request loses. */
const REQUEST_LOOKS_MS = 400;
const OTHER_LOOKS_MS = 10_000;

const suite = onPostgres(describe, 'the embedded database has one session, and no deadlock');

suite('a deadlock', () => {
  let database: TestDatabase;
  let app: TestApp;
  let shop: Client;
  let other: pg.Client;

  beforeAll(async () => {
    database = await createTables();
    other = await connect(database.url);
    const name = new URL(database.url).pathname.slice(1);
    await other.query(`ALTER DATABASE ${name} SET deadlock_timeout = ${REQUEST_LOOKS_MS}`);
    await other.query(`SET deadlock_timeout = ${OTHER_LOOKS_MS}`);
    app = await TestApp.start({ database });
    shop = await app.merchant();
  });
  afterAll(async () => {
    await app.stop();
    await other.end();
    await database.drop();
  });

  /**
   * The other session takes `first`, the request waits for it while it holds what `second` wants,
   * and `second` closes the circle. It can succeed only because PostgreSQL ended the request's
   * transaction; a request that merely waits too long for a lock is refused with 503.
   */
  async function inDeadlock<T>(
    first: [sql: string, values: unknown[]],
    second: [sql: string, values: unknown[]],
    request: () => Promise<T>,
  ): Promise<T> {
    await other.query('BEGIN');
    await other.query(...first);
    const answer = request();
    await untilBlocked(app, 1);
    await other.query(...second);
    await other.query('ROLLBACK');
    return answer;
  }

  it('does not fail the creation of an order, which is one statement', async () => {
    const { txid } = await shop.order();
    const key = randomUUID();
    const takeKey = `INSERT INTO idempotency_records
        (merchant_id, mode, route, key, content_hash, txid, api_version, status, body, created_at)
      VALUES ($1, 'test', 'POST /api/order', $2, '', $3, '1.2.2', 201, '', now())`;
    const takeId = `INSERT INTO orders (merchant_id, txid, mode, order_merchant_id, content_hash,
        status, amount, currency, optional_fields, page_token, created_at, updated_at, expires_at)
      VALUES ($1, $2, 'test', 'CROSSED', '', 'open', 1, 'EUR', '{}', '', now(), now(),
        now() + interval '1 hour')`;
    const answer = await inDeadlock(
      [takeKey, [shop.merchantId, key, txid]],
      [takeId, [shop.merchantId, randomUUID()]],
      () => shop.create({ orderMerchantId: 'CROSSED' }, { 'idempotency-key': key }),
    );
    expect(answer.status).toBe(201);
    expect(await count(app, 'orders', 'order_merchant_id = $1', ['CROSSED'])).toBe(1);
    expect(await count(app, 'idempotency_records', 'key = $1', [key])).toBe(1);
  });

  it('does not fail a transaction, which runs again from its start', async () => {
    const { txid } = await shop.order();
    const answer = await inDeadlock(
      ['LOCK TABLE events IN SHARE MODE', []],
      ['SELECT 1 FROM orders WHERE txid = $1 FOR UPDATE', [txid]],
      () => shop.cancel(txid),
    );
    expect([answer.status, answer.body.status]).toEqual([200, 'cancelled']);
    expect((await factsOf(app, txid)).events).toEqual(['order.created', 'order.cancelled']);
  });
});
