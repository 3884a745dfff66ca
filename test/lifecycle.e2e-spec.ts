import { describe, expect, it } from '@jest/globals';
import { pollDelaysMs } from '../src/lifecycle/poll-schedule.js';
import { PAYMENT_ATTEMPTS_MAX } from '../src/database/payments/payment.entity.js';
import { Sweeper } from '../src/payments/sweeper.js';
import { SandboxBank } from '../src/providers/sandbox/sandbox-bank.js';
import { Bank, startPayment } from './support/bank.js';
import type { OrderJson } from './support/client.js';
import { factsOf } from './support/facts.js';
import { openShop } from './support/shop.js';

const MINUTE_MS = 60_000;
const POLL_DELAYS_MS = pollDelaysMs(5);
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const DAYS_30 = { expiresInMinutes: 43_200 };

const { app, shop, bank } = await openShop();

describe('the life of an order', () => {
  const read = async ({ txid }: OrderJson): Promise<OrderJson> => (await shop.read(txid)).body;
  const sweep = () => app.get(Sweeper).run();
  const pass = async (ms: number): Promise<void> => {
    app.clock.advance(ms);
    await sweep();
  };
  /** The bank decides, and its message gets lost. */
  const decideInSilence = (payment: string, outcome: 'paid' | 'declined') =>
    app.get(SandboxBank).decide({ merchantId: shop.merchantId, paymentId: payment }, { outcome });
  const hear = async (...message: Parameters<Bank['message']>): Promise<void> => {
    expect(await bank.send(bank.message(...message))).toBe(200);
    await bank.settled();
  };
  const eventsOf = async ({ txid }: OrderJson) => (await factsOf(app, txid)).events;

  describe('cancelling', () => {
    it('ends an open order, once', async () => {
      const { txid } = await shop.order();
      const first = await shop.cancel(txid);
      expect(first.body).toMatchObject({
        status: 'cancelled',
        statusReason: 'by_merchant',
        finished: true,
        cancelable: false,
      });
      app.clock.advance(MINUTE_MS);
      const again = await shop.cancel(txid);
      expect([again.status, again.text]).toEqual([200, first.text]);
      expect((await factsOf(app, txid)).events).toEqual(['order.created', 'order.cancelled']);
    });

    it('voids a payment under way first', async () => {
      const order = await shop.order();
      await shop.pay(order.txid, { outcome: 'pending' });
      expect((await read(order))['cancelable']).toBe(true);
      expect((await shop.cancel(order.txid)).body).toMatchObject({
        status: 'cancelled',
        statusReason: 'by_merchant',
        payment: { status: 'cancelled' },
      });
    });

    it('is refused while nobody knows what became of the payment', async () => {
      const { txid } = await shop.order();
      await shop.pay(txid, { outcome: 'unknown' });
      expect(await shop.cancel(txid)).toMatchObject({
        status: 409,
        body: { code: 'order_not_cancelable', orderStatus: 'processing', txid },
      });
    });

    it('learns that the payment was made meanwhile', async () => {
      const order = await shop.order();
      await decideInSilence(await startPayment(app, order), 'paid');
      const refused = await shop.cancel(order.txid);
      expect(refused).toMatchObject({ status: 409, body: { code: 'order_not_cancelable' } });
      expect(await read(order)).toMatchObject({ status: 'paid' });
    });

    const PENDING = { outcome: 'pending' };
    const SILENT = { outcome: 'unknown' };
    const PART = { outcome: 'paid', amount: 1 };
    const REFUSED = { outcome: 'declined' };
    const FOREIGN = { outcome: 'paid', currency: 'USD' };
    const allAttempts = Array.from({ length: PAYMENT_ATTEMPTS_MAX }, () => REFUSED);

    it.each<[string, string, readonly Record<string, unknown>[], boolean]>([
      ['of which nobody has paid', 'open', [], true],
      ['after a refusal', 'open', [REFUSED], true],
      ['with a part of its money', 'open', [PART], true],
      ['with money in another currency', 'open', [FOREIGN], true],
      ['that is being paid', 'processing', [PENDING], true],
      ['that is being paid after a part', 'processing', [PART, PENDING], true],
      ['of unknown outcome', 'processing', [SILENT], false],
      ['of unknown outcome after a part', 'processing', [PART, SILENT], false],
      ['that is paid', 'paid', [{ outcome: 'paid' }], false],
      ['that is paid in parts', 'paid', [PART, { outcome: 'paid' }], false],
      ['that failed', 'failed', allAttempts, false],
      ['whose time is over', 'expired', [], false],
      ['whose time is over after a part', 'expired', [PART], false],
    ])('is told beforehand for an order %s (%s)', async (_, status, answers, succeeds) => {
      const order = await shop.order({ amount: 1_000 });
      for (const answer of answers) await shop.pay(order.txid, answer);
      if (status === 'expired') await pass(HOUR_MS);
      expect(await read(order)).toMatchObject({ status, cancelable: succeeds });
      const { status: code, body } = await shop.cancel(order.txid);
      expect([code, body]).toMatchObject(
        succeeds
          ? [200, { status: 'cancelled', cancelable: false }]
          : [409, { code: 'order_not_cancelable', orderStatus: status }],
      );
    });
  });

  describe('paying', () => {
    it('can be tried again after a refusal, ten times', async () => {
      const order = await shop.order();
      for (let n = 1; n < PAYMENT_ATTEMPTS_MAX; n++) {
        expect((await shop.pay(order.txid, { outcome: 'declined' })).body).toMatchObject({
          status: 'open',
          payment: { status: 'failed', error: { code: 'declined' } },
        });
      }
      expect((await shop.pay(order.txid, { outcome: 'declined' })).body).toMatchObject({
        status: 'failed',
        statusReason: 'declined',
        finished: true,
      });
      const tooLate = await shop.pay(order.txid);
      expect(tooLate).toMatchObject({ status: 409, body: { code: 'order_not_payable' } });
      const { payments } = await factsOf(app, order.txid);
      expect(payments).toHaveLength(PAYMENT_ATTEMPTS_MAX);
    });

    it('can happen in parts, each asking for the rest', async () => {
      const order = await shop.order({ amount: 1_000 });
      const part = await shop.pay(order.txid, { amount: 600 });
      expect(part.body).toMatchObject({
        status: 'open',
        exception: 'underpaid',
        amountReceived: 600,
        payment: { status: 'succeeded', amount: 600 },
      });
      const rest = await shop.pay(order.txid);
      expect(rest.body).toMatchObject({
        status: 'paid',
        statusReason: 'exact',
        exception: 'none',
        amountReceived: 1_000,
        payment: { status: 'succeeded', amount: 400 },
      });
      expect(await eventsOf(order)).toEqual([
        'order.created',
        'order.processing',
        'order.exception',
        'order.processing',
        'order.paid',
      ]);
    });

    it('in another currency counts for nothing, and the order goes on', async () => {
      const order = await shop.order();
      for (let n = 0; n < 2; n++) {
        const { body } = await shop.pay(order.txid, { currency: 'USD' });
        expect(body).toMatchObject({
          status: 'open',
          exception: 'wrong_currency',
          amountReceived: 0,
          payment: { status: 'failed', currency: 'USD', error: { code: 'wrong_currency' } },
        });
      }
      expect((await shop.pay(order.txid)).body).toMatchObject({
        status: 'paid',
        amountReceived: 8990,
      });
    });

    it('tells who paid when the bank tells it, even a day later', async () => {
      const order = await shop.order();
      const started = await startPayment(app, order);
      await hear(order, started, 'booked');
      const before = await read(order);
      expect(before).toMatchObject({
        status: 'paid',
        payment: { payerAccountNumber: null, payerAccountType: null, payerAccountName: null },
      });
      app.clock.advance(DAY_MS);
      await hear(order, started, 'booked', { debtorName: 'Erika' });
      await hear(order, started, 'booked', { debtorAccount: 'DE89370400440532013000' });
      await hear(order, started, 'booked', { debtorName: 'Somebody Else' });
      const events = await eventsOf(order);
      expect(events.slice(-3)).toEqual(['order.paid', 'payment.updated', 'payment.updated']);
      const payment = {
        ...before.payment,
        payerAccountNumber: 'DE89370400440532013000',
        payerAccountType: 'iban',
        payerAccountName: 'Erika',
      };
      expect(await read(order)).toEqual({
        ...before,
        updatedAt: app.clock.now().toISOString(),
        payment,
        payments: [payment],
      });
    });

    it('by an older payment ends the order, and the live payment is voided', async () => {
      const order = await shop.order();
      const first = (await shop.pay(order.txid, { outcome: 'declined' })).body.payment;
      const second = await startPayment(app, order);
      await hear(order, String(first?.['id']), 'booked');
      expect(await read(order)).toMatchObject({
        status: 'paid',
        exception: 'none',
        payment: { id: first?.['id'], status: 'succeeded', error: null },
      });
      await pass(MINUTE_MS);
      const { payments } = await factsOf(app, order.txid);
      expect(payments.find(({ id }) => id === second)).toMatchObject({ status: 'cancelled' });
    });
  });

  describe('expiry', () => {
    it('ends an open order at its time, not before', async () => {
      const order = await shop.order({ expiresInMinutes: 5 });
      await pass(5 * MINUTE_MS - 1);
      expect(await read(order)).toMatchObject({ status: 'open', cancelable: true });
      await pass(1);
      expect(await read(order)).toMatchObject({
        status: 'expired',
        statusReason: 'not_paid',
        finished: true,
        cancelable: false,
        paidAt: null,
      });
      const tooLate = await shop.pay(order.txid);
      expect(tooLate).toMatchObject({ status: 409, body: { code: 'order_not_payable' } });
    });

    it('lets nobody start to pay when the time is over, before any sweep', async () => {
      const order = await shop.order({ expiresInMinutes: 5 });
      app.clock.advance(5 * MINUTE_MS);
      expect(await shop.pay(order.txid)).toMatchObject({
        status: 409,
        body: { code: 'order_not_payable', orderStatus: 'open' },
      });
    });

    it('tells of a part of the money', async () => {
      const order = await shop.order({ expiresInMinutes: 5 });
      await shop.pay(order.txid, { amount: 1 });
      await pass(5 * MINUTE_MS);
      expect(await read(order)).toMatchObject({
        status: 'expired',
        statusReason: 'partially_paid',
        exception: 'underpaid',
        amountReceived: 1,
      });
    });

    it('voids a payment under way', async () => {
      const order = await shop.order({ expiresInMinutes: 5 });
      await shop.pay(order.txid, { outcome: 'pending' });
      await pass(5 * MINUTE_MS);
      expect(await read(order)).toMatchObject({
        status: 'expired',
        statusReason: 'not_paid',
        payment: { status: 'cancelled' },
      });
    });

    it('looks at the bank a last time, and finds the money', async () => {
      const order = await shop.order({ expiresInMinutes: 5 });
      await decideInSilence(await startPayment(app, order), 'paid');
      await pass(5 * MINUTE_MS);
      expect(await read(order)).toMatchObject({ status: 'paid', statusReason: 'exact' });
    });

    it('never rewrites: money that comes later is noted', async () => {
      const order = await shop.order({ expiresInMinutes: 5 });
      const payment = await startPayment(app, order);
      await pass(5 * MINUTE_MS);
      await hear(order, payment, 'booked');
      expect(await read(order)).toMatchObject({
        status: 'expired',
        statusReason: 'not_paid',
        exception: 'paid_late',
        amountReceived: 8990,
        paidAt: null,
        payment: { id: payment, status: 'succeeded' },
      });
      expect((await eventsOf(order)).slice(-2)).toEqual(['order.expired', 'order.exception']);
    });
  });

  describe('an unknown outcome', () => {
    const looksOf = async ({ txid }: OrderJson): Promise<unknown> =>
      (await factsOf(app, txid)).payments[0]?.['polls'];

    it('is asked for after 1 m, 5 m, 15 m, 1 h, 6 h, then daily, and given up at last', async () => {
      const order = await shop.order(DAYS_30);
      await shop.pay(order.txid, { outcome: 'unknown' });
      for (const [n, wait] of POLL_DELAYS_MS.entries()) {
        await pass(wait - 1);
        expect(await looksOf(order)).toBe(n);
        await pass(1);
        expect(await looksOf(order)).toBe(n + 1);
      }
      expect(await read(order)).toMatchObject({
        status: 'processing',
        statusReason: 'outcome_unknown',
        processingUntil: order['expiresAt'],
      });
      await pass(30 * DAY_MS);
      expect(await read(order)).toMatchObject({
        status: 'expired',
        statusReason: 'not_paid',
        processingUntil: null,
      });
      expect(await looksOf(order)).toBe(POLL_DELAYS_MS.length + 1);
      await pass(DAY_MS);
      expect(await looksOf(order)).toBe(POLL_DELAYS_MS.length + 1);
    });

    it('ends when the order and its page say, however late the looks before ran', async () => {
      const order = await shop.order({ expiresInMinutes: 5 });
      await shop.pay(order.txid, { outcome: 'unknown' });
      const total = POLL_DELAYS_MS.reduce((sum, ms) => sum + ms, 0);
      const until = new Date(app.clock.now().getTime() + total);
      expect((await read(order))['processingUntil']).toBe(until.toISOString());
      const page = await (await fetch(order.paymentPageUrl)).text();
      expect(page).toContain('We keep asking the bank until');
      // Each look two hours late, but for the last.
      for (const ms of POLL_DELAYS_MS.slice(0, -1)) await pass(ms + 2 * HOUR_MS);
      app.clock.set(new Date(until.getTime() - 1));
      await sweep();
      expect((await read(order)).status).toBe('processing');
      await pass(1);
      expect((await read(order)).status).toBe('expired');
    });

    it('does not let the order expire while the schedule runs', async () => {
      const order = await shop.order({ expiresInMinutes: 5 });
      await shop.pay(order.txid, { outcome: 'unknown' });
      await pass(HOUR_MS);
      expect(await read(order)).toMatchObject({ status: 'processing', finished: false });
    });

    it.each([
      ['paid', 'paid'],
      ['declined', 'open'],
    ] as const)('becomes known by asking: %s', async (outcome, status) => {
      const order = await shop.order();
      const { body } = await shop.pay(order.txid, { outcome: 'unknown' });
      await decideInSilence(String(body.payment?.['id']), outcome);
      expect(await read(order)).toMatchObject({ statusReason: 'outcome_unknown' });
      await pass(MINUTE_MS);
      expect(await read(order)).toMatchObject({ status });
    });

    it('takes the bank’s message at any time', async () => {
      const order = await shop.order();
      const { body } = await shop.pay(order.txid, { outcome: 'unknown' });
      await hear(order, String(body.payment?.['id']), 'booked');
      expect(await read(order)).toMatchObject({ status: 'paid' });
      await pass(DAY_MS);
      expect(await looksOf(order)).toBe(0);
    });
  });
});
