import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { EntityManager } from 'typeorm';
import { Database } from '../src/database/database.js';
import { DeliveryLogRepository } from '../src/database/notifications/delivery-log.repository.js';
import type { Payout } from '../src/database/payouts/payout.entity.js';
import { RateLimiter } from '../src/merchants/rate-limiter.js';
import { PayoutSchedulesService } from '../src/payouts/payout-schedules.service.js';
import { PayoutsService } from '../src/payouts/payouts.service.js';
import { ScheduledPayouts } from '../src/payouts/scheduled-payouts.js';
import { count, select } from './support/facts.js';
import { expectHealthy } from './support/payout-invariants.js';
import { balances, Cashier, paidOrder, PAYS } from './support/payouts.js';
import { person, signedIn, withTotp } from './support/people.js';
import { openShop } from './support/shop.js';

const HOUR_MS = 3_600_000;
const { app } = await openShop({
  env: { ...PAYS, RATE_LIMITS: 'on', RATE_WRITES: '1000', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' },
});

const limiter = app.get(RateLimiter);
const payouts = app.get(PayoutsService);
const linesOf = ({ id }: Payout) => count(app, 'payout_lines', 'payout_id = $1', [id]);

/** A merchant with three paid orders. */
async function cashier(): Promise<Cashier> {
  const made = await Cashier.of(app, await app.merchant());
  for (const amount of [1_000, 1_100, 1_200]) await paidOrder(made.shop, amount);
  return made;
}

/** Leaves so many rows of the burst. */
async function leave(rows: 'payoutLines' | 'resentEvents', { scope }: Cashier, left: number) {
  const policy = limiter.policies[rows];
  const bucket = `${scope.merchantId} ${scope.mode}`;
  const { missing } = await limiter.take(rows, bucket, 0);
  await limiter.charge([[rows, bucket, policy.burst - left - missing / policy.periodMs]]);
}

describe('lines of a cancelled payout', () => {
  it('are deleted when nobody approved it, however often it is requested again', async () => {
    const seller = await cashier();
    for (let round = 0; round < 3; round++) {
      const payout = await seller.request(3_300);
      expect(await linesOf(payout)).toBe(3);
      expect((await payouts.cancel(seller.scope, payout.id)).status).toBe('cancelled');
      expect(await linesOf(payout)).toBe(0);
    }
    expect((await balances(app, seller.shop))['EUR']).toEqual({
      available: 3_300,
      'clearing:sandbox': -3_300,
    });
    expect(await count(app, 'payout_lines', 'merchant_id = $1', [seller.scope.merchantId])).toBe(0);
    await expectHealthy(app);
  });

  it('stay when it was approved, or in a file', async () => {
    const seller = await cashier();
    const approved = await seller.approve(await seller.request(3_300));
    await payouts.cancel(seller.scope, approved.id);
    expect(await linesOf(approved)).toBe(3);
    const rejected = await seller.request(3_300);
    await select(app, `INSERT INTO payout_hands VALUES ($1, $2, $3, 'not_sent')`, [
      seller.scope.merchantId,
      rejected.id,
      seller.operator.id,
    ]);
    await payouts.cancel(seller.scope, rejected.id);
    expect(await linesOf(rejected)).toBe(3);
    await expectHealthy(app);
  });
});

describe('lines that people write for payouts', () => {
  it.each([
    ['requests', (seller: Cashier) => seller.request(100)],
    [
      'changes',
      async (seller: Cashier, { id }: Payout) => {
        const wish = { amount: 100, bankAccountId: seller.account.id };
        return payouts.change(seller.scope, id, wish, seller.owner.id);
      },
    ],
    [
      'submitted drafts',
      async (seller: Cashier, _: Payout, { id }: Payout) =>
        payouts.submit(seller.scope, id, seller.owner.id),
    ],
  ] as const)('have a cap in time for %s, and come back with it', async (_, write) => {
    const seller = await cashier();
    const wish = { amount: 100, bankAccountId: seller.account.id };
    const balance = { ...seller.scope, currency: 'EUR' };
    const draft = await payouts.draft(balance, wish, seller.owner.id);
    const waiting = await seller.request(1_000);
    await leave('payoutLines', seller, 0);
    // What was left is used up by more than there was.
    await seller.request(1_100);
    const refused = {
      code: 'payout_not_possible',
      detail: expect.stringContaining('Try again in'),
    };
    await expect(write(seller, waiting, draft)).rejects.toMatchObject(refused);
    // A cancellation is never refused.
    await payouts.cancel(seller.scope, (await payouts.find(seller.scope, waiting.id)).id);
    app.clock.advance(HOUR_MS);
    await seller.request(100);
  });

  it('have none for schedules', async () => {
    const seller = await cashier();
    await leave('payoutLines', seller, -1);
    const schedule = {
      currency: 'EUR',
      frequency: 'daily',
      day: null,
      minimumAmount: 100,
      bankAccountId: seller.account.id,
    } as const;
    await app
      .get(PayoutSchedulesService)
      .save(seller.scope, schedule, { userId: seller.owner.id, timeZone: 'UTC' });
    app.clock.advance(25 * HOUR_MS);
    await leave('payoutLines', seller, -1);
    await app.get(ScheduledPayouts).run();
    expect(await count(app, 'payouts', 'merchant_id = $1', [seller.scope.merchantId])).toBe(1);
  });
});

/** Asks for the events of a merchant of whose burst so many rows are left. */
async function resending(left: number) {
  const seller = await cashier();
  const path = '/api/webhook-endpoint';
  const url = 'http://127.0.0.1:9/hook';
  const { body: endpoint } = await seller.shop.call<{ id: string }>('POST', path, { url });
  const from = app.clock.now().toISOString();
  const ask = () => seller.shop.call('POST', `${path}/${endpoint.id}/resend`, { from });
  await leave('resentEvents', seller, left);
  return ask;
}

describe('events that are sent again', () => {
  it('have a cap in time, whether they wait or were delivered', async () => {
    const seller = await cashier();
    const { shop } = seller;
    app.clock.advance(1_000);
    const path = '/api/webhook-endpoint';
    const url = 'http://127.0.0.1:9/hook';
    const { body: endpoint } = await shop.call<{ id: string }>('POST', path, { url });
    const { body: other } = await shop.call<{ id: string }>('POST', path, { url: `${url}2` });
    const ask = ({ id }: { id: string }, what: string, body?: Record<string, unknown>) =>
      shop.call('POST', `${path}/${id}/${what}`, body);
    const range = { from: new Date(app.clock.now().getTime() - HOUR_MS).toISOString() };
    await leave('resentEvents', seller, 2);
    const first = await ask(endpoint, 'resend', { ...range, includeDelivered: true });
    expect([first.status, Number(first.body['queued'])]).toEqual([202, expect.any(Number)]);
    expect(Number(first.body['queued'])).toBeGreaterThan(2);
    const delivery = await select<{ id: string }>(
      app,
      'SELECT id FROM deliveries WHERE endpoint_id = $1 LIMIT 1',
      [endpoint.id],
    );
    for (const [what, body] of [
      ['resend', range],
      ['test', undefined],
      [`delivery/${delivery[0]!.id}/resend`, undefined],
    ] as const) {
      const reply = await ask(what === 'resend' ? other : endpoint, what, body);
      expect([reply.status, reply.body['code']]).toEqual([429, 'rate_limited']);
      expect(reply.body['detail']).toContain('lately');
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    app.clock.advance(HOUR_MS);
    expect((await ask(other, 'resend', range)).status).toBe(202);
  });

  it('count as 500 where a range has none, because it was read', async () => {
    const ask = await resending(600);
    expect(await ask()).toMatchObject({ status: 202, body: { queued: 0 } });
    expect((await ask()).status).toBe(202);
    expect((await ask()).status).toBe(429);
  });

  it('count as 500 where reading a range takes too long', async () => {
    const ask = await resending(600);
    const read = jest.spyOn(app.get(DeliveryLogRepository), 'resend');
    const tooSlow = (tx: EntityManager) =>
      tx.query(
        `DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = 'query_canceled'; END $$`,
      ) as Promise<never>;
    read.mockImplementationOnce(tooSlow).mockImplementationOnce(tooSlow);
    expect([(await ask()).status, (await ask()).status]).toEqual([503, 503]);
    expect((await ask()).status).toBe(429);
  });
});

/** The lines of the payout, a thousand times as many, are those of 60 rejected ones, too. */
const rejectedOften = (id: string) =>
  app.get(Database).transaction(async (tx) => {
    await tx.query(`SET LOCAL session_replication_role = 'replica'`);
    await tx.query(
      `INSERT INTO payout_lines SELECT merchant_id, payout_id, 3 + n, kind, gen_random_uuid(), txid, amount
       FROM payout_lines, generate_series(1, 1000) n WHERE payout_id = $1 AND number = 1`,
      [id],
    );
    const columns = `mode, currency, amount, 'rejected', bank_account_id, holder, iban, content_hash,
      created_at, updated_at`;
    await tx.query(
      `INSERT INTO payouts (merchant_id, id, ${columns.replace("'rejected'", 'status')})
       SELECT merchant_id, gen_random_uuid(), ${columns} FROM payouts, generate_series(1, 60)
       WHERE id = $1`,
      [id],
    );
    await tx.query(
      `INSERT INTO payout_lines
       SELECT merchant_id, p.id, number, kind, transfer_id, txid, l.amount
       FROM payouts p JOIN payout_lines l USING (merchant_id)
       WHERE p.status = 'rejected' AND l.payout_id = $1`,
      [id],
    );
    await tx.query('ANALYZE payouts');
    await tx.query('ANALYZE payout_lines');
  });

describe('the operators’ list of payouts', () => {
  let page: () => Promise<{ status: number; html: string }>;
  beforeAll(async () => {
    const browser = await signedIn(app, await withTotp(app, await person(app, 'operator')));
    page = () => browser.get('/portal/platform/payouts/test');
  });

  it('does not ask whether the money of payouts that wait left before', async () => {
    const seller = await cashier();
    await seller.request(1_234);
    const database = app.get(Database);
    const [{ definition }] = (await select<{ definition: string }>(
      app,
      `SELECT pg_get_functiondef('left_before'::regproc) AS definition`,
    )) as [{ definition: string }];
    await database.transaction((tx) =>
      tx.query(`CREATE OR REPLACE FUNCTION left_before(merchant uuid, payout uuid) RETURNS boolean
        LANGUAGE plpgsql STABLE AS $$ BEGIN RAISE EXCEPTION 'asked'; END $$`),
    );
    try {
      const { status, html } = await page();
      expect(status).toBe(200);
      expect(html).toContain('12.34');
    } finally {
      await database.transaction((tx) => tx.query(definition));
    }
  });

  it('reads no lines for that while no booking of the bank waits', async () => {
    const seller = await cashier();
    const { id } = await seller.request(3_300);
    await rejectedOften(id);
    const reads = `SELECT coalesce(seq_scan, 0) + coalesce(idx_scan, 0) AS reads
      FROM pg_stat_xact_user_tables WHERE relname = 'payout_lines'`;
    await app.get(Database).transaction(async (tx) => {
      const readsNow = async () => Number((await tx.query<{ reads: string }[]>(reads))[0]!.reads);
      const before = await readsNow();
      await tx.query('SELECT left_before($1, $2)', [seller.scope.merchantId, id]);
      expect(await readsNow()).toBe(before);
      await tx.query('SELECT count(*) FROM payout_lines');
      expect(await readsNow()).toBe(before + 1);
    });
  });
});
