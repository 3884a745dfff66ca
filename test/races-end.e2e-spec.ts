import { describe, expect, it } from '@jest/globals';
import { Sweeper } from '../src/payments/sweeper.js';
import { startAtPage, startPayment } from './support/bank.js';
import type { Reply } from './support/client.js';
import { connect, onPostgres } from './support/database.js';
import { bookedFor, factsOf, select, untilBlocked } from './support/facts.js';
import { CALLERS, expectBothWon, Handicap, rounds, tally, together } from './support/race.js';
import { openShop } from './support/shop.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const { app, shop } = await openShop();
const withSessions = onPostgres(it, 'the embedded database has one session, and nobody waits');

describe('races to end an order', () => {
  /** What the bank did is what the order says: money moved if and only if the order is paid. */
  async function expectOneEnd(txid: string, unpaid: 'cancelled' | 'expired'): Promise<boolean> {
    const { order, payments, events } = await factsOf(app, txid);
    const booked = await bookedFor(app, txid);
    const isPaid = order['status'] === 'paid';
    expect(order['status']).toBe(isPaid ? 'paid' : unpaid);
    expect(order['exception']).toBe('none');
    expect(order['amount_received']).toBe(isPaid ? order['amount'] : 0);
    expect(order['holds_merchant_id']).toBe(isPaid);
    expect(booked).toBe(isPaid ? 1 : 0);
    expect(payments.filter((payment) => payment['completes_order'])).toHaveLength(booked);
    expect(payments.filter((payment) => payment['status'] === 'pending')).toEqual([]);
    const ends = events.filter((type) => /^order\.(paid|cancelled|expired|failed)$/.test(type));
    expect(ends).toEqual([isPaid ? 'order.paid' : `order.${unpaid}`]);
    return isPaid;
  }

  const statusesOf = (answers: readonly Reply<unknown>[]) =>
    tally(answers.map(({ status }) => status));

  it.each(['open', 'processing'])('pays or cancels an order that is %s, never both', async (at) => {
    const handicap = new Handicap(['pay', 'cancel']);
    await rounds(async () => {
      const order = await shop.order();
      if (at === 'processing') await startPayment(app, order);
      const answers = await together(async (n) => {
        const side = n % 2 ? 'cancel' : 'pay';
        await handicap.start(side);
        return shop[side](order.txid);
      });
      const isPaid = await expectOneEnd(order.txid, 'cancelled');
      handicap.won(isPaid ? 'pay' : 'cancel');
      const paying = answers.filter((_, n) => n % 2 === 0);
      const cancelling = answers.filter((_, n) => n % 2 === 1);
      expect(statusesOf(answers)[isPaid ? 200 : 409]).toBeGreaterThan(0);
      expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
      if (isPaid) expect(statusesOf(cancelling)).toEqual({ 409: CALLERS / 2 });
      else expect(statusesOf(cancelling)[200]).toBeGreaterThan(0);
      const toldPaid = paying.filter(({ body }) => body.status === 'paid');
      expect(toldPaid.length > 0).toBe(isPaid);
      const again = await shop.cancel(order.txid);
      expect(again.status).toBe(isPaid ? 409 : 200);
    });
    // A few rounds may all go to one side.
    expectBothWon(handicap.wins);
  });

  it.each(['open', 'processing'])('pays or lets expire an order that is %s', async (at) => {
    const handicap = new Handicap(['pay', 'expire']);
    await rounds(async () => {
      const order = await shop.order();
      if (at === 'processing') await startPayment(app, order);
      // What is left is little: to a bank's message under way it must not look like an old one.
      app.clock.advance(HOUR_MS - MINUTE_MS);
      const answers = await together<Reply<unknown> | undefined>(async (n) => {
        const side = n % 4 === 3 ? 'expire' : 'pay';
        await handicap.start(side);
        if (side === 'pay') return shop.pay(order.txid);
        if (n === 3) app.clock.advance(MINUTE_MS);
        await app.get(Sweeper).run();
        return undefined;
      });
      await app.get(Sweeper).run();
      const isPaid = await expectOneEnd(order.txid, 'expired');
      handicap.won(isPaid ? 'pay' : 'expire');
      const paying = answers.filter((answer) => answer !== undefined);
      expect(paying.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
      expect((statusesOf(paying)[200] ?? 0) > 0).toBe(isPaid);
    });
    // A few rounds may all go to one side.
    expectBothWon(handicap.wins);
  });

  withSessions('asks the bank about a payment begun as the order expired', async () => {
    const order = await shop.order();
    const other = await connect(app.database.url);
    await other.query('BEGIN; LOCK TABLE events IN SHARE MODE');
    const start = startAtPage(order);
    try {
      await untilBlocked(app, 1);
      app.clock.advance(HOUR_MS);
      // To this sweep the order is still open: it waits until the payment has begun.
      const sweep = app.get(Sweeper).run();
      await untilBlocked(app, 2);
      await other.query('COMMIT');
      await sweep;
    } finally {
      await other.end();
    }
    expect((await start).headers.get('location')).toContain('/sandbox-bank/');
    // As long as the payer can pay at the bank, the order waits for it.
    const between = await factsOf(app, order.txid);
    const isPending = between.payments[0]!['status'] === 'pending';
    expect(between.order['status']).toBe(isPending ? 'processing' : 'expired');
    await app.get(Sweeper).run();
    expect(await expectOneEnd(order.txid, 'expired')).toBe(false);
    const { payments, events } = await factsOf(app, order.txid);
    expect(events).toEqual(['order.created', 'order.processing', 'order.expired']);
    expect(payments).toMatchObject([{ status: 'cancelled', polls: 1 }]);
    const sql = 'SELECT outcome FROM sandbox_transactions WHERE payment_id = $1';
    expect(await select(app, sql, [payments[0]!['id']])).toEqual([{ outcome: 'cancelled' }]);
  });

  it.each(['open', 'processing'])('cancels an order that is %s once', async (at) => {
    await rounds(async () => {
      const order = await shop.order();
      if (at === 'processing') await startPayment(app, order);
      const answers = await together(() => shop.cancel(order.txid));
      expect(statusesOf(answers)).toEqual({ 200: CALLERS });
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      expect(await expectOneEnd(order.txid, 'cancelled')).toBe(false);
    });
  });

  it('remembers one answer to cancellations with one key', async () => {
    await rounds(async (round) => {
      const { txid } = await shop.order();
      const headers = { 'idempotency-key': `cancel-${round}` };
      const answers = await together(() => shop.cancel(txid, headers));
      expect(statusesOf(answers)).toEqual({ 200: CALLERS });
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      const sql = 'SELECT status, body FROM idempotency_records WHERE key = $1';
      const records = await select(app, sql, [headers['idempotency-key']]);
      expect(records).toEqual([{ status: 200, body: answers[0]!.text }]);
      expect(await expectOneEnd(txid, 'cancelled')).toBe(false);
      const replayed = await shop.cancel(txid, headers);
      expect([replayed.text, replayed.headers.get('idempotent-replayed')]).toEqual([
        answers[0]!.text,
        'true',
      ]);
    });
  });
});
