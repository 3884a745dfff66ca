import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { REFUND_STATUSES, type RefundStatus } from '../src/database/refunds/refund.entity.js';
import { REFUND_MOVES } from '../src/refund-lifecycle/refund-moves.js';
import { RefundRunner } from '../src/refunds/refund-runner.js';
import type { OrderJson } from './support/client.js';
import { select } from './support/facts.js';
import { readAll } from './support/feed.js';
import { Cashier, PAYS } from './support/payouts.js';
import { expectHealthy } from './support/payout-invariants.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop({ env: PAYS });

const paid = async (amount: number): Promise<OrderJson> => {
  const { txid } = await shop.order({ amount });
  return (await shop.pay(txid)).body;
};

const read = async (txid: string): Promise<OrderJson> =>
  (await shop.call<OrderJson>('GET', `/api/order?txid=${txid}`)).body;

const refund = (txid: string, body: object = {}, headers = {}) =>
  shop.call('POST', `/api/order/${txid}/refund`, body, headers);

const answer = (id: unknown, outcome: string) =>
  shop.call('POST', `/api/test-helpers/refund/${String(id)}`, { outcome });

describe('a refund', () => {
  it('returns all that is left, and tells of each step', async () => {
    const { txid } = await paid(1_000);
    expect(await read(txid)).toMatchObject({ amountRefundable: 1_000, amountRefunded: 0 });
    const { status, body, headers } = await refund(txid, { reason: 'The lamp is broken' });
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`/api/refund/${String(body['id'])}`);
    expect(body).toMatchObject({
      txid,
      amount: 1_000,
      currency: 'EUR',
      status: 'approved',
      method: 'provider',
      origin: 'api',
      reason: 'The lamp is broken',
      completedAt: null,
    });
    expect(await read(txid)).toMatchObject({ amountRefundable: 0, amountRefunded: 0 });
    const done = await answer(body['id'], 'succeeded');
    expect(done.body).toMatchObject({ status: 'succeeded', expectedAt: null });
    expect(await read(txid)).toMatchObject({
      status: 'paid',
      amountRefundable: 0,
      amountRefunded: 1_000,
    });
    const events = await readAll(shop, { txid });
    expect(events.map(({ type }) => type).slice(-5)).toEqual([
      'refund.requested',
      'refund.approved',
      'refund.submitted',
      'refund.succeeded',
      'order.refunded',
    ]);
    const requested = events.find(({ type }) => type === 'refund.requested')!;
    expect(requested).toMatchObject({
      data: { txid, amountRefundable: 0 },
      refund: { id: body['id'], status: 'requested', amount: 1_000 },
    });
    expect((await shop.call('GET', `/api/refund/${String(body['id'])}`)).body).toEqual(done.body);
    await expectHealthy(app);
  });

  it('succeeds by itself', async () => {
    const { txid } = await paid(700);
    const { body } = await refund(txid, { amount: 300 });
    await app.get(RefundRunner).run();
    expect((await shop.call('GET', `/api/refund/${String(body['id'])}`)).body).toMatchObject({
      status: 'submitted',
    });
    app.clock.advance(3_000);
    await app.get(RefundRunner).run();
    expect(await read(txid)).toMatchObject({ amountRefundable: 400, amountRefunded: 300 });
    await expectHealthy(app);
  });
});

describe('what a shop cannot refund', () => {
  const refusals: [
    string,
    (txid: string) => Promise<{ status: number; body: Record<string, unknown> }>,
    number,
    string,
  ][] = [
    ['more than is left', (txid) => refund(txid, { amount: 1_001 }), 422, 'refund_too_large'],
    [
      'another sum than it saw',
      (txid) => refund(txid, { amountRefundable: 999 }),
      409,
      'refundable_changed',
    ],
    ['an order that does not exist', () => refund(randomUUID()), 404, 'order_not_found'],
    ['nothing', (txid) => refund(txid, { amount: 0 }), 422, 'validation_failed'],
    ['half a cent', (txid) => refund(txid, { amount: 0.5 }), 422, 'validation_failed'],
    ['less than nothing', (txid) => refund(txid, { amount: -100 }), 422, 'validation_failed'],
    ['a text', (txid) => refund(txid, { amount: '100' }), 422, 'validation_failed'],
    [
      'a long reason',
      (txid) => refund(txid, { reason: 'x'.repeat(141) }),
      422,
      'validation_failed',
    ],
    ['a bad id', (txid) => refund(txid, { refundMerchantId: 'a b' }), 422, 'validation_failed'],
    [
      'an unknown member',
      (txid) => refund(txid, { to: 'DE89370400440532013000' }),
      422,
      'validation_failed',
    ],
  ];

  it.each(refusals)('%s', async (_, ask, status, code) => {
    const { txid } = await paid(1_000);
    expect(await ask(txid)).toMatchObject({ status, body: { code } });
    expect(await read(txid)).toMatchObject({ amountRefundable: 1_000, amountRefunded: 0 });
    expect(await select(app, 'SELECT FROM refunds WHERE txid = $1', [txid])).toEqual([]);
  });

  it('an order that is not paid, or whose money is gone', async () => {
    const { txid } = await shop.order();
    expect(await refund(txid)).toMatchObject({
      status: 409,
      body: { code: 'order_not_refundable' },
    });
    const done = await paid(1_000);
    expect((await refund(done.txid)).status).toBe(201);
    expect(await refund(done.txid)).toMatchObject({
      status: 409,
      body: { code: 'order_not_refundable' },
    });
  });

  it('an order of another merchant, or of the other mode, or without the scope', async () => {
    const { txid } = await paid(1_000);
    const { body } = await refund(txid, { amount: 10 });
    const path = `/api/refund/${String(body['id'])}`;
    const stranger = await app.merchant();
    const live = await app.key(shop.merchantId, { mode: 'live' });
    for (const client of [stranger, live]) {
      expect((await client.call('POST', `/api/order/${txid}/refund`, {})).status).toBe(404);
      expect((await client.call('GET', path)).status).toBe(404);
      expect((await client.call('DELETE', path)).status).toBe(404);
      expect((await client.call('GET', '/api/refund')).body).toMatchObject({ data: [] });
    }
    const reader = await app.key(shop.merchantId, { scopes: ['refunds:read'] });
    expect((await reader.call('POST', `/api/order/${txid}/refund`, {})).status).toBe(403);
    expect((await reader.call('GET', path)).status).toBe(200);
    const writer = await app.key(shop.merchantId, { scopes: ['orders:write'] });
    expect((await writer.call('DELETE', path)).status).toBe(403);
  });

  it('money that payouts have taken, until more has come', async () => {
    const cashier = await Cashier.of(app, await app.merchant());
    const { txid } = await cashier.shop.order({ amount: 1_000 });
    await cashier.shop.pay(txid);
    await cashier.request(1_000);
    const ask = () =>
      cashier.shop.call('POST', `/api/order/${txid}/refund`, {}, { 'idempotency-key': 'k' });
    expect(await ask()).toMatchObject({
      status: 422,
      body: { code: 'insufficient_balance', available: 0, currency: 'EUR' },
    });
    await cashier.shop.pay((await cashier.shop.order({ amount: 1_000 })).txid);
    expect((await ask()).status).toBe(201);
    await expectHealthy(app);
  });

  it('money of another payer that stands beside it', async () => {
    const { txid } = await paid(1_000);
    const { body: over } = await shop
      .order({ amount: 1_000 })
      .then(({ txid: id }) => shop.pay(id, { amount: 1_300 }));
    expect(await read(over.txid)).toMatchObject({ amountRefundable: 1_300 });
    await refund(over.txid);
    const sql = 'SELECT from_unallocated AS apart FROM refunds WHERE txid = $1';
    expect(await select(app, sql, [over.txid])).toEqual([{ apart: 300 }]);
    await refund(txid);
    expect(await select(app, sql, [txid])).toEqual([{ apart: 0 }]);
    await expectHealthy(app);
  });
});

describe('the states of a refund', () => {
  const id = async (outcome?: string): Promise<string> => {
    const { txid } = await paid(1_000);
    const { body } = await refund(txid);
    if (outcome) await answer(body['id'], outcome);
    return String(body['id']);
  };
  const setTo = (refundId: string, status: string) =>
    select(app, 'UPDATE refunds SET status = $2, completed_at = $3 WHERE id = $1', [
      refundId,
      status,
      ['requested', 'approved', 'submitted'].includes(status) ? null : app.clock.now(),
    ]);
  const reached: Partial<Record<RefundStatus, () => Promise<string>>> = {
    approved: () => id(),
    submitted: () => id('silent'),
    succeeded: () => id('succeeded'),
    failed: () => id('failed'),
    cancelled: async () => {
      const made = await id();
      await shop.call('DELETE', `/api/refund/${made}`);
      return made;
    },
  };
  const pairs = (Object.keys(reached) as RefundStatus[]).flatMap((from) =>
    REFUND_STATUSES.filter((to) => to !== from && !(to in REFUND_MOVES[from])).map(
      (to) => [from, to] as const,
    ),
  );

  it.each(pairs)('the database refuses a move from %s to %s', async (from, to) => {
    const refundId = await reached[from]!();
    await expect(setTo(refundId, to)).rejects.toThrow('cannot become');
  });

  it('the database refuses more than the payment brought in', async () => {
    const made = await id();
    const again = `INSERT INTO refunds SELECT (jsonb_populate_record(r, jsonb_build_object(
      'id', gen_random_uuid(), 'status', 'requested', 'amount', 1))).* FROM refunds r WHERE id = $1`;
    await expect(select(app, again, [made])).rejects.toThrow('brought in less than its refunds');
  });

  it('the service refuses to cancel what the bank may have', async () => {
    const made = await id('silent');
    expect(await shop.call('DELETE', `/api/refund/${made}`)).toMatchObject({
      status: 409,
      body: { code: 'refund_not_cancelable', refundStatus: 'submitted' },
    });
  });

  it('a refund that the payer’s bank returned is the merchant’s again, and can be made again', async () => {
    const { txid } = await paid(1_000);
    const { body } = await refund(txid);
    expect((await answer(body['id'], 'returned')).body).toMatchObject({ status: 'failed' });
    expect(await read(txid)).toMatchObject({ amountRefundable: 1_000, amountRefunded: 0 });
    expect((await refund(txid)).status).toBe(201);
    await expectHealthy(app);
  });
});

describe('the list of refunds', () => {
  it('is read page by page, by order and by status', async () => {
    const client = await app.merchant();
    const { txid } = await client.order({ amount: 1_000 });
    await client.pay(txid);
    const ids: unknown[] = [];
    for (let n = 0; n < 5; n++)
      ids.unshift(
        (await client.call('POST', `/api/order/${txid}/refund`, { amount: 10 })).body['id'],
      );
    const seen: unknown[] = [];
    for (let after = '', more = true; more;) {
      const { body } = await client.call<{
        data: { id: string }[];
        next: string;
        hasMore: boolean;
      }>('GET', `/api/refund?limit=2&txid=${txid}&status=approved${after}`);
      seen.push(...body.data.map((each) => each.id));
      after = `&after=${body.next}`;
      more = body.hasMore;
    }
    expect(seen).toEqual(ids);
    expect((await client.call('GET', '/api/refund?status=failed')).body).toMatchObject({
      data: [],
    });
    expect((await client.call('GET', '/api/refund?status=gone')).status).toBe(400);
  });
});
