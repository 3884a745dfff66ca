import { createHash, randomUUID } from 'node:crypto';
import { uuidv7 } from '../../src/common/ids.js';
import type { PayoutStatus } from '../../src/database/payouts/payout.entity.js';
import { WAIT_MS } from '../../src/payouts/bank-accounts.service.js';
import type { TestApp } from './app.js';
import { select, withoutTriggers } from './facts.js';
import type { Sample } from './order-list-samples.js';
import { joined, person } from './people.js';

/** A payout of a merchant in test mode; it may pay orders, and may not any more. */
export interface SamplePayout {
  readonly id: string;
  readonly merchantId: string;
  readonly status: PayoutStatus;
}

/** In each of these, the oldest first. */
const STATUSES = ['pending_approval', 'pending_approval', 'rejected'] as const;
export const PAYOUTS_EACH = STATUSES.length;

export const insert = (app: TestApp, table: string, rows: readonly object[]): Promise<unknown> =>
  select(
    app,
    `INSERT INTO ${table} SELECT r.* FROM jsonb_populate_recordset(NULL::${table}, $1) r`,
    [JSON.stringify(rows)],
  );

/** Writes some payouts of each merchant, without lines. */
export async function insertPayouts(
  app: TestApp,
  merchantIds: readonly string[],
): Promise<SamplePayout[]> {
  const { id: owner } = await person(app, 'owner');
  for (const merchantId of merchantIds) await joined(app, owner, merchantId, 'owner');
  const now = app.clock.now();
  const dayAgo = new Date(now.getTime() - WAIT_MS);
  const of = (merchantId: string) => ({ merchant_id: merchantId, mode: 'test', created_at: now });
  const accounts = merchantIds.map((merchantId) => ({
    ...of(merchantId),
    id: randomUUID(),
    holder: 'Lampen',
    iban: 'DE89370400440532013000',
    created_by: owner,
    created_at: dayAgo,
    usable_from: now,
    noticed_at: dayAgo,
    confirmed_by: owner,
    confirmed_at: dayAgo,
  }));
  await insert(app, 'bank_accounts', accounts);
  const payouts = accounts.flatMap(({ merchant_id: merchantId, id: accountId }) =>
    STATUSES.map((status) => ({ id: uuidv7(now.getTime()), merchantId, status, accountId })),
  );
  const rows = payouts.map(({ id, merchantId, status, accountId }) => ({
    ...of(merchantId),
    id,
    currency: 'EUR',
    amount: 1,
    status,
    bank_account_id: accountId,
    holder: 'Lampen',
    iban: 'DE89370400440532013000',
    content_hash: `\\x${createHash('sha256').update(id).digest('hex')}`,
    version: 1,
    updated_at: now,
  }));
  await withoutTriggers(
    app,
    'INSERT INTO payouts SELECT r.* FROM jsonb_populate_recordset(NULL::payouts, $1) r',
    [JSON.stringify(rows)],
  );
  return payouts;
}

let lines = 0;

/** Writes the lines of the samples: each order is paid out in two parts, as it came. */
export async function insertLines(app: TestApp, samples: readonly Sample[]): Promise<void> {
  const paidOut = samples.filter(({ payouts }) => payouts.length > 0);
  const transfers = paidOut.flatMap((sample) =>
    (['allocation', 'payment'] as const).map((kind) => transferRow(sample, kind)),
  );
  // What is allocated has come first.
  const arrived = paidOut.map((sample) => transferRow(sample, 'unallocated'));
  await insert(app, 'transfers', arrived);
  await insert(app, 'transfers', transfers);
  const rows = paidOut.flatMap(({ payouts, txid }) =>
    transfers
      .filter((transfer) => transfer.txid === txid)
      .flatMap(({ merchant_id, id }) =>
        payouts.map((payout) => ({
          merchant_id,
          payout_id: payout.id,
          number: ++lines,
          kind: 'order',
          transfer_id: id,
          txid,
          amount: 1,
        })),
      ),
  );
  await insert(app, 'payout_lines', rows);
}

const transferRow = (sample: Sample, kind: 'unallocated' | 'allocation' | 'payment') => ({
  merchant_id: sample.merchantId,
  id: uuidv7(sample.createdAt.getTime()),
  mode: sample.mode,
  currency: sample.currency,
  kind,
  debit: kind === 'allocation' ? 'unallocated' : 'clearing:sandbox',
  credit: kind === 'unallocated' ? 'unallocated' : 'available',
  amount: 1,
  occurrence: 1,
  txid: sample.txid,
  payment_id: sample.payment!.id,
  created_at: sample.createdAt,
  checkpointed: false,
  covered: false,
});

type Run = (sql: string, values: readonly unknown[]) => Promise<unknown>;

/** Of the n-th payout. */
const payoutId = (n: string): string =>
  `(lpad(to_hex(${n}), 8, '0') || '-0000-7000-8000-000000000000')::uuid`;

/** What seeded payouts are made of, without what they come from; the tables are then for looking only. */
const DETACH = [
  `ALTER TABLE payouts DROP CONSTRAINT payouts_bank_account_fk, DROP CONSTRAINT payouts_file_fk,
    DROP CONSTRAINT payouts_approved_by_fk`,
  'ALTER TABLE payouts DISABLE TRIGGER payouts_second_person_role, DISABLE TRIGGER payouts_begin',
  'ALTER TABLE payout_lines DROP CONSTRAINT payout_lines_transfer_fk',
  'ALTER TABLE payout_lines DISABLE TRIGGER payout_lines_added_to_approved',
];

const FEES = `UPDATE orders SET fee = amount / 50 WHERE (merchant_id, txid) IN (SELECT merchant_id, txid
    FROM orders WHERE merchant_id = $1 AND status = 'paid' ORDER BY paid_at LIMIT $2)`;

const PAY_OUT = [
  `INSERT INTO payouts (merchant_id, id, mode, currency, amount, status, bank_account_id, holder,
    iban, content_hash, approved_hash, approved_by, approved_at, file_id, created_at, updated_at,
    paid_at)
  SELECT $1, ${payoutId('n')}, 'test', 'EUR', 1, 'paid', gen_random_uuid(), 'Lampen',
    'DE89370400440532013000', '', '', gen_random_uuid(), now(), gen_random_uuid(), now(), now(),
    now()
  FROM generate_series(0, (SELECT count(*) / $2::integer FROM orders WHERE fee IS NOT NULL)) n`,
  `INSERT INTO payout_lines (merchant_id, payout_id, number, kind, transfer_id, txid, amount)
  SELECT o.merchant_id, ${payoutId('o.n / $2')}, 2 * (o.n % $2) + k.place, k.kind,
    gen_random_uuid(), o.txid, k.amount
  FROM (SELECT merchant_id, txid, row_number() OVER (ORDER BY paid_at) - 1 AS n
    FROM orders WHERE merchant_id = $1 AND fee IS NOT NULL) o
  CROSS JOIN (VALUES ('order', 1, 98), ('fee', 2, -2)) k (kind, place, amount)`,
];

/** The first of them. */
export const SEEDED_PAYOUT = '00000000-0000-7000-8000-000000000000';

/** Gives the oldest `orders` that a seeded merchant was paid fees, and pays them out, `each` together. */
export async function payOutSeeded(
  run: Run,
  merchantId: string,
  { orders, each }: { readonly orders: number; readonly each: number },
): Promise<void> {
  for (const sql of DETACH) await run(sql, []);
  await run(FEES, [merchantId, orders]);
  for (const sql of PAY_OUT) await run(sql, [merchantId, each]);
  for (const table of ['payouts', 'payout_lines']) await run(`VACUUM (ANALYZE) ${table}`, []);
}
