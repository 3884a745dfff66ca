import { Database } from '../src/database/database.js';
import { FeeRateRepository } from '../src/database/ledger/fee-rate.repository.js';
import { LedgerRepository } from '../src/database/ledger/ledger.repository.js';
import type { PaymentKey } from '../src/database/keys.js';
import { Checkpoints } from '../src/ledger/checkpoints.js';
import { PaymentsService } from '../src/payments/payments.service.js';
import { TestApp } from '../test/support/app.js';
import { connect, createDatabase, type TestDatabase } from '../test/support/database.js';
import { select } from '../test/support/facts.js';

const AMOUNT = 8_990;
const PAYER = {
  accountNumber: 'DE89370400440532013000',
  accountType: 'iban',
  accountName: 'Erika Mustermann',
} as const;

/** A payment that its provider has not answered for yet. */
export type Pending = PaymentKey;

/** Orders like one of the merchant's, with a payment each that waits for its provider. */
const COPY_PENDING = `
  WITH copies AS MATERIALIZED (
    SELECT gen_random_uuid() AS txid, gen_random_uuid() AS id FROM generate_series(1, $2::integer)
  ), first AS (
    SELECT txid, payment_id FROM orders
    WHERE merchant_id = $1 AND status = 'processing' LIMIT 1
  ), orders_made AS (
    INSERT INTO orders SELECT (jsonb_populate_record(o, jsonb_build_object('txid', c.txid,
      'order_merchant_id', c.txid, 'page_token', c.txid, 'payment_id', c.id))).*
    FROM orders o JOIN first USING (txid) CROSS JOIN copies c WHERE o.merchant_id = $1
  )
  INSERT INTO payments SELECT (jsonb_populate_record(p, jsonb_build_object('txid', c.txid,
    'id', c.id, 'provider_reference', c.id))).*
  FROM payments p JOIN first ON first.payment_id = p.id CROSS JOIN copies c
  WHERE p.merchant_id = $1 RETURNING merchant_id AS "merchantId", id`;

/** Payments and their fees, as many as there are numbers, of orders that are not there. */
const TRANSFERS = `
  WITH paid AS (
    SELECT gen_random_uuid() AS txid, gen_random_uuid() AS id, n
    FROM generate_series(1, $2::integer / 2) n
  )
  INSERT INTO transfers (merchant_id, id, mode, currency, kind, debit, credit, amount, txid,
    payment_id, created_at)
  SELECT $1, gen_random_uuid(), 'test', 'EUR', t.kind, t.debit, t.credit, t.amount, p.txid, p.id,
    now() - make_interval(secs => n)
  FROM paid p CROSS JOIN (VALUES ('payment', 'clearing:sandbox', 'available', ${AMOUNT}),
    ('fee', 'available', 'fees', 156)) t (kind, debit, credit, amount)`;

/** The service in this process, on a database of its own. */
export class BenchLedger {
  private constructor(
    private readonly app: TestApp,
    private readonly database: TestDatabase,
  ) {}

  static async start(stack: AsyncDisposableStack, pool: number): Promise<BenchLedger> {
    const database = await createDatabase();
    if (!database.isPostgres) throw new Error('TEST_DATABASE_URL names no PostgreSQL');
    stack.defer(() => database.drop());
    const env = { LOG_LEVEL: 'error', DATABASE_POOL: String(pool) };
    const app = await TestApp.start({ database, env, realTime: true });
    stack.defer(() => app.stop());
    return new BenchLedger(app, database);
  }

  /** New ones that pay a fee, each with one order that is being paid. */
  async merchants(count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let n = 0; n < count; n++) {
      const shop = await this.app.merchant();
      const { merchantId } = shop;
      const rate = { merchantId, provider: 'sandbox', currency: 'EUR', updatedAt: new Date() };
      const cost = { partsPerMillion: 14_000, fixed: 30 };
      await this.app
        .get(Database)
        .transaction((tx) => this.app.get(FeeRateRepository).save(tx, { ...rate, ...cost }));
      const { txid } = await shop.order({ amount: AMOUNT });
      const how = { provider: 'sandbox', method: 'sandbox' };
      await this.app.get(PaymentsService).start({ merchantId, txid }, how);
      ids.push(merchantId);
    }
    return ids;
  }

  /** So many payments to settle, of all these merchants in turn. */
  async pending(merchantIds: readonly string[], count: number): Promise<Pending[]> {
    const each = count / merchantIds.length;
    const all: Pending[][] = [];
    for (const id of merchantIds)
      all.push(await select<Pending>(this.app, COPY_PENDING, [id, each]));
    return Array.from({ length: each }, (_, n) => all.map((some) => some[n]!)).flat();
  }

  async settle(payment: Pending): Promise<void> {
    const update = { kind: 'accepted', amount: AMOUNT, currency: 'EUR', payer: PAYER } as const;
    const result = await this.app.get(PaymentsService).apply(payment, update);
    if (result !== 'applied') throw new Error(`not settled: ${result}`);
  }

  balances(merchantId: string): Promise<unknown> {
    return this.app.get(LedgerRepository).balances({ merchantId, mode: 'test' });
  }

  checkpoint(): Promise<void> {
    return this.app.get(Checkpoints).run();
  }

  /** Writes so many transfers of the past, on a session that may take its time. */
  async transfers(merchantId: string, count: number): Promise<void> {
    const session = await connect(this.database.url);
    // Their orders and payments are not there.
    await session.query('SET session_replication_role = replica');
    await session.query(TRANSFERS, [merchantId, count]);
    await session.query('ANALYZE transfers');
    await session.end();
  }
}
