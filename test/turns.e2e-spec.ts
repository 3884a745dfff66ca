import { afterAll, afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ExportRepository } from '../src/database/exports/export.repository.js';
import { JobScheduler } from '../src/database/jobs/job-scheduler.js';
import { LedgerRepository } from '../src/database/ledger/ledger.repository.js';
import { OrderRepository } from '../src/database/orders/order.repository.js';
import { PaymentRepository } from '../src/database/payments/payment.repository.js';
import { PayoutScheduleRepository } from '../src/database/payouts/payout-schedule.repository.js';
import { UserLinkRepository } from '../src/database/people/user-link.repository.js';
import { UserNoticeRepository } from '../src/database/people/user-notice.repository.js';
import { ProviderEventRepository } from '../src/database/providers/provider-event.repository.js';
import { RetentionRepository } from '../src/database/retention/retention.repository.js';
import { SandboxRepository } from '../src/database/sandbox-bank/sandbox.repository.js';
import { Checkpoints } from '../src/ledger/checkpoints.js';
import { SystemMailer } from '../src/notifications/mail/system-mailer.js';
import { Sweeper } from '../src/payments/sweeper.js';
import { LinkMailer } from '../src/people/mails/link-mailer.js';
import { UserNotices } from '../src/people/mails/user-notices.js';
import { AccountNotices } from '../src/portal/bank-accounts/account-notices.js';
import { TestApp } from './support/app.js';
import { startPayment } from './support/bank.js';
import type { Client } from './support/client.js';
import { count, select, withoutTriggers } from './support/facts.js';
import { Cashier, paidOrder } from './support/payouts.js';
import { person } from './support/people.js';
import { until } from './support/race.js';

/** What one merchant has waiting, all of it since longer than the other's single row. */
const CROWD = 300;
const LIMIT = 10;
/** Everything is due, and no lease has run out. */
const EVER = '9999-12-31';
const FUTURE = new Date('2100-01-01T00:00:00Z');

const app = await TestApp.start();
afterAll(() => app.stop());

/** Inserts copies of the merchant's first row; `change` is SQL of what is different in the n-th. */
const copies = ({ merchantId }: Client, table: string, change: string, rows = CROWD) =>
  select(
    app,
    `INSERT INTO ${table} SELECT (jsonb_populate_record(r, ${change})).*
     FROM ${table} r, generate_series(1, ${rows}) n
     WHERE r.ctid = (SELECT ctid FROM ${table} WHERE merchant_id = $1 LIMIT 1)`,
    [merchantId],
  );

const set = ({ merchantId }: Client, table: string, assignments: string) =>
  select(app, `UPDATE ${table} SET ${assignments} WHERE merchant_id = $1`, [merchantId]);

const NEW_ID = `jsonb_build_object('id', gen_random_uuid())`;
const NEW_ORDER = `jsonb_build_object('txid', gen_random_uuid(), 'order_merchant_id', 'copy-' || n)`;

async function waitingPayment(shop: Client): Promise<void> {
  await startPayment(app, await shop.order());
}

/** For each order without a payment one like the merchant's first. */
const payCopies = ({ merchantId }: Client) =>
  select(
    app,
    `INSERT INTO payments SELECT (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid(),
       'txid', o.txid, 'provider_reference', null))).*
     FROM payments p JOIN orders o ON o.merchant_id = p.merchant_id AND o.txid <> p.txid
     WHERE p.merchant_id = $1`,
    [merchantId],
  );

interface Claim {
  /** Makes one row that is due. */
  readonly one: (shop: Client) => Promise<unknown>;
  /** Makes many of it, which waited longer. */
  readonly many: (shop: Client) => Promise<unknown>;
  readonly take: (limit?: number) => Promise<readonly unknown[]>;
}

const CLAIMS: Readonly<Record<string, Claim>> = {
  'orders to expire': {
    one: (shop) => shop.order(),
    many: async (shop) => {
      await copies(shop, 'orders', NEW_ORDER);
      await set(shop, 'orders', `expires_at = created_at + interval '1 second'`);
    },
    take: (limit = LIMIT) => app.get(OrderRepository).listDue(FUTURE, limit),
  },
  'payments to look at': {
    one: waitingPayment,
    many: async (shop) => {
      await copies(shop, 'orders', NEW_ORDER);
      await payCopies(shop);
      await set(shop, 'payments', 'next_poll_at = created_at');
    },
    take: (limit = LIMIT) => app.get(PaymentRepository).listDueForPoll(FUTURE, limit),
  },
  'callbacks to apply': {
    one: async (shop) => {
      await shop.pay((await shop.order()).txid);
      await set(shop, 'provider_events', 'applied_at = NULL, result = NULL');
    },
    many: (shop) =>
      copies(
        shop,
        'provider_events',
        `jsonb_build_object('id', gen_random_uuid(), 'provider_event_id', 'copy-' || n,
          'next_attempt_at', r.next_attempt_at - interval '1 minute')`,
      ),
    take: (limit = LIMIT) => app.get(ProviderEventRepository).claim(FUTURE, limit),
  },
  'callbacks of the sandbox bank': {
    one: async (shop) => {
      await waitingPayment(shop);
      await set(shop, 'sandbox_transactions', 'due_at = created_at');
    },
    many: async (shop) => {
      await copies(shop, 'orders', NEW_ORDER);
      await payCopies(shop);
      await select(
        app,
        `INSERT INTO sandbox_transactions SELECT (jsonb_populate_record(s, jsonb_build_object(
           'payment_id', p.id, 'due_at', s.created_at - interval '1 minute'))).*
         FROM sandbox_transactions s JOIN payments p
           ON p.merchant_id = s.merchant_id AND p.id <> s.payment_id WHERE s.merchant_id = $1`,
        [shop.merchantId],
      );
    },
    take: () => app.get(SandboxRepository).takeDue(FUTURE, LIMIT),
  },
  'notices to people': {
    one: async ({ merchantId }) => {
      const { id } = await person(app, 'owner', merchantId);
      const sql = `INSERT INTO user_notices (id, user_id, kind, merchant_id, data, created_at, next_attempt_at)
        VALUES (gen_random_uuid(), $1, 'owners-changed', $2, '{}', now(), now())`;
      await select(app, sql, [id, merchantId]);
    },
    many: async (shop) => {
      await set(shop, 'user_notices', `next_attempt_at = now() - interval '1 hour'`);
      await copies(shop, 'user_notices', NEW_ID);
    },
    take: () => app.get(UserNoticeRepository).claim(FUTURE, FUTURE, LIMIT),
  },
  invitations: {
    one: ({ merchantId }) =>
      select(
        app,
        `INSERT INTO user_links (id, kind, token, token_hash, email, merchant_id, role, created_at,
           expires_at, next_attempt_at)
         VALUES (gen_random_uuid(), 'invitation', 'token', uuid_send(gen_random_uuid()), 'a@shop.example',
           $1, 'viewer', now(), '${EVER}', now())`,
        [merchantId],
      ),
    many: async (shop) => {
      await set(shop, 'user_links', `next_attempt_at = now() - interval '1 hour'`);
      const change = `jsonb_build_object('id', gen_random_uuid(), 'email', n || '@shop.example',
        'token_hash', '\\x' || lpad(n::text, 64, '0'))`;
      await copies(shop, 'user_links', change);
    },
    take: () => app.get(UserLinkRepository).claim(FUTURE, FUTURE, LIMIT),
  },
  'exports that are ready': {
    one: async ({ merchantId }) => {
      const { id } = await person(app, 'owner', merchantId);
      const sql = `INSERT INTO exports (id, merchant_id, mode, requested_by, request, query, status,
          manifest, created_at, finished_at, expires_at)
        VALUES (gen_random_uuid(), $1, 'test', $2, '{}', '', 'ready', '{}', now(), now(), '${EVER}')`;
      await select(app, sql, [merchantId, id]);
    },
    many: async (shop) => {
      await set(shop, 'exports', `finished_at = now() - interval '1 hour'`);
      await copies(shop, 'exports', NEW_ID);
    },
    take: () => app.get(ExportRepository).unnotified(LIMIT),
  },
  'payout schedules': {
    one: async (shop) => {
      const { account } = await Cashier.of(app, shop);
      const sql = `INSERT INTO payout_schedules (merchant_id, mode, currency, frequency, minimum_amount,
          bank_account_id, changed_by, next_run_at, updated_at)
        VALUES ($1, 'test', 'EUR', 'daily', 1, $2, '{}', now(), now())`;
      await select(app, sql, [shop.merchantId, account.id]);
    },
    many: (shop) =>
      copies(
        shop,
        'payout_schedules',
        `jsonb_build_object('next_run_at', now() - interval '1 hour',
          'currency', 'A' || chr(65 + n / 26) || chr(65 + n % 26))`,
      ),
    take: () => app.get(PayoutScheduleRepository).due(FUTURE, LIMIT),
  },
  'orders whose payers are forgotten': {
    one: async (shop) => shop.cancel((await shop.order()).txid),
    many: (shop) =>
      copies(
        shop,
        'orders',
        `jsonb_build_object('order_merchant_id', 'copy-' || n,
          'txid', overlay(gen_random_uuid()::text placing '00000000' from 1 for 8))`,
      ),
    take: () =>
      app.get(RetentionRepository).due('unpaid', 'ffffffff-0000-7000-8000-000000000000', LIMIT),
  },
};

it.each(Object.entries(CLAIMS))('%s: a crowd of one keeps nobody’s back', async (_, claim) => {
  const crowded = await app.merchant({ name: 'Crowded' });
  const other = await app.merchant({ name: 'Other' });
  await claim.one(crowded);
  await claim.many(crowded);
  await claim.one(other);
  const found = (await claim.take()) as { merchantId?: string; merchantName?: string }[];
  expect(found).toHaveLength(LIMIT);
  const merchants = found.map(({ merchantId, merchantName }) => merchantId ?? merchantName);
  for (const [{ merchantId }, name] of [[crowded, 'Crowded'] as const, [other, 'Other'] as const]) {
    expect(merchants.some((one) => one === merchantId || one === name)).toBe(true);
  }
});

describe('what is due in live mode waits for nothing of test mode', () => {
  const ALL = 5_000;
  const live = `'mode', 'live'`;
  /** One of live mode that is due after all the others of its merchant. */
  const LAST: Record<string, (shop: Client) => Promise<unknown>> = {
    'orders to expire': (shop) =>
      copies(
        shop,
        'orders',
        `jsonb_build_object('txid', gen_random_uuid(), 'expires_at', r.expires_at + interval '1 day', ${live})`,
        1,
      ),
    'payments to look at': async ({ merchantId }) => {
      const sql = `UPDATE payments SET next_poll_at = created_at + interval '1 day' WHERE merchant_id = $1
        AND id = (SELECT id FROM payments WHERE merchant_id = $1 LIMIT 1) RETURNING txid`;
      const changed = `WITH last AS (${sql}) SELECT txid FROM last`;
      const [last] = await select<{ txid: string }>(app, changed, [merchantId]);
      const move = `UPDATE orders SET mode = 'live' WHERE merchant_id = $1 AND txid = $2`;
      await withoutTriggers(app, move, [merchantId, last!.txid]);
    },
    'callbacks to apply': (shop) =>
      copies(
        shop,
        'provider_events',
        `jsonb_build_object('id', gen_random_uuid(), 'provider_event_id', 'live',
          'next_attempt_at', r.next_attempt_at + interval '1 day', ${live})`,
        1,
      ),
  };

  it.each(Object.entries(LAST))('%s', async (name, makeLast) => {
    const { one, many, take } = CLAIMS[name]!;
    const shop = await app.merchant();
    await one(shop);
    await many(shop);
    await makeLast(shop);
    const found = (await take(ALL)) as { merchantId: string; txid?: string; id?: string }[];
    const own = found.filter(({ merchantId }) => merchantId === shop.merchantId);
    const isLive = `SELECT txid AS id FROM orders WHERE merchant_id = $1 AND mode = 'live'
      UNION ALL SELECT id FROM provider_events WHERE merchant_id = $1 AND mode = 'live'`;
    const [last] = await select<{ id: string }>(app, isLive, [shop.merchantId]);
    expect(own.some(({ txid, id }) => [txid, id].includes(last!.id))).toBe(true);
    expect(own.length).toBeLessThanOrEqual(101);
  });
});

it('passwords that people forgot come before the second invitation of anybody', async () => {
  await select(app, 'DELETE FROM user_links');
  const invitations = CLAIMS['invitations']!;
  const crowded = await app.merchant();
  await invitations.one(crowded);
  await invitations.many(crowded);
  const asked = LIMIT - 1;
  await select(
    app,
    `INSERT INTO user_links (id, kind, token, token_hash, email, created_at, expires_at, next_attempt_at)
     SELECT gen_random_uuid(), 'reset', 'token', uuid_send(gen_random_uuid()), n || '@forgot.example',
       now(), '${EVER}', now() FROM generate_series(1, ${asked}) n`,
  );
  const found = await app.get(UserLinkRepository).claim(FUTURE, FUTURE, LIMIT);
  expect(found.filter(({ kind }) => kind === 'reset')).toHaveLength(asked);
});

describe('system mails', () => {
  /** The clock of the tests is behind that of the database. */
  const makeDue = () =>
    select(app, `UPDATE user_notices SET next_attempt_at = next_attempt_at - interval '1000 days'`);
  const send = () =>
    jest.spyOn(app.get(SystemMailer), 'send').mockResolvedValue({
      succeeded: true,
      final: true,
      statusCode: 250,
      error: null,
      response: null,
    });
  beforeEach(() => select(app, 'DELETE FROM user_notices'));
  afterEach(() => void jest.restoreAllMocks());

  it('of a crowd keep nobody else’s back, and all leave in one run', async () => {
    const { one, many } = CLAIMS['notices to people']!;
    const crowded = await app.merchant({ name: 'Crowded' });
    const other = await app.merchant({ name: 'Other' });
    await one(crowded);
    await many(crowded);
    await one(other);
    await makeDue();
    const systemMailer = send();
    await app.get(UserNotices).run();
    const texts = systemMailer.mock.calls.map(([mail]) => JSON.stringify(mail));
    expect(texts).toHaveLength(CROWD + 2);
    expect(texts.slice(0, 4).some((text) => text.includes(other.merchantId))).toBe(true);
  });

  it('of which one cannot be written leave all the same', async () => {
    const { one } = CLAIMS['notices to people']!;
    const shop = await app.merchant();
    for (let n = 0; n < 4; n++) await one(shop);
    await makeDue();
    const systemMailer = send().mockRejectedValueOnce(new Error('no text'));
    await app.get(UserNotices).run();
    expect(systemMailer).toHaveBeenCalledTimes(4);
    const left = 'merchant_id = $1 AND sent_at IS NULL';
    expect(await count(app, 'user_notices', left, [shop.merchantId])).toBe(1);
  });

  it('that are left over when the time of a run ends are gone on with at once', async () => {
    jest.spyOn(app.get(SystemMailer), 'sendDue').mockResolvedValue(false);
    const wake = jest.spyOn(app.get(JobScheduler), 'wake').mockResolvedValue();
    const jobs = [UserNotices, LinkMailer, AccountNotices];
    for (const job of jobs) await app.get<{ run(): Promise<void> }>(job).run();
    const woken = wake.mock.calls.map(([job]) => job);
    expect(woken).toEqual(['user-notices', 'user-links', 'bank-account-notices']);
  });
});

it('checkpoints: a crowd of one keeps nobody’s back', async () => {
  const crowds = [await app.merchant(), await app.merchant()];
  const checkpoint = jest.spyOn(app.get(LedgerRepository), 'checkpoint');
  const change = `jsonb_build_object('id', gen_random_uuid(), 'occurrence', n + 1)`;
  for (const shop of crowds) {
    await paidOrder(shop, 100);
    await copies(shop, 'transfers', change, 2_100);
  }
  await app.get(Checkpoints).run();
  const turns = checkpoint.mock.calls.map(([{ merchantId }]) => merchantId);
  checkpoint.mockRestore();
  const merchants = crowds.map(({ merchantId }) => merchantId);
  expect(new Set(turns.slice(0, 2))).toEqual(new Set(merchants));
  const left = 'merchant_id = ANY ($1) AND NOT checkpointed';
  expect(await count(app, 'transfers', left, [merchants])).toBeLessThan(2 * 200);
});

it('expires all that is due, and another merchant’s in the same run as a crowd’s', async () => {
  const [crowded, other] = [await app.merchant(), await app.merchant()];
  await crowded.order();
  await copies(crowded, 'orders', NEW_ORDER, 250);
  const { txid } = await other.order();
  app.clock.advance(2 * 3_600_000);
  await app.get(Sweeper).run();
  expect((await other.read(txid)).body.status).toBe('expired');
  // A run takes its time only so long; what is left is the next one's.
  await until('the crowd has expired', async () => {
    const open = await count(app, 'orders', `merchant_id = $1 AND status = 'open'`, [
      crowded.merchantId,
    ]);
    if (open > 0) await app.get(Sweeper).run();
    return open === 0;
  });
});
