import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { Sweeper } from '../src/payments/sweeper.js';
import { SandboxCallbacksService } from '../src/sandbox-bank/sandbox-callbacks.service.js';
import { startAtPage, startPayment } from './support/bank.js';
import { type Facts, factsOf, select } from './support/facts.js';
import { CALLERS, rounds, tally, together } from './support/race.js';
import { openShop } from './support/shop.js';

const MINUTE_MS = 60_000;
/** A callback that was stored and not applied is taken up again after two seconds. */
const FORGOTTEN_MS = 2_001;

/** What the start of a payment writes. */
const START_UNSEEN = `
  WITH started AS (
    INSERT INTO payments
      (merchant_id, id, txid, provider, method, status, amount, currency, created_at)
    SELECT merchant_id, $3, txid, 'sandbox', 'sandbox', 'pending', amount, currency, created_at
    FROM orders WHERE merchant_id = $1 AND txid = $2
  ), moved AS (
    UPDATE orders SET status = 'processing', status_reason = 'awaiting_provider', payment_id = $3,
      attempts = 1, version = 2
    WHERE merchant_id = $1 AND txid = $2
  )
  INSERT INTO events (merchant_id, id, txid, mode, sequence, type, data, created_at)
  SELECT merchant_id, $3, txid, mode, 2, 'order.processing', '{}', created_at
  FROM orders WHERE merchant_id = $1 AND txid = $2`;

const { app, shop, bank } = await openShop();

describe('races to pay an order', () => {
  /**
   * Does `work` while a statement is done but not committed. The embedded database has one session,
   * so there `work` comes before the statement: seen from outside, the same.
   */
  async function beforeCommitOf(
    sql: string,
    values: readonly unknown[],
    work: () => Promise<void>,
  ): Promise<void> {
    const dataSource = app.get(DataSource);
    if (!app.database.isPostgres) await work();
    await dataSource.transaction(async (tx) => {
      await tx.query(sql, [...values]);
      if (app.database.isPostgres) await work();
    });
  }

  /** One payment, and no more, made the order paid; nothing else happened. */
  function expectPaidOnce(facts: Facts, paymentId: string): void {
    expect(facts.order).toMatchObject({
      status: 'paid',
      status_reason: 'exact',
      exception: 'none',
      amount_received: facts.order['amount'],
      payment_id: paymentId,
    });
    expect(facts.payments.filter((payment) => payment['completes_order'])).toEqual([
      expect.objectContaining({ id: paymentId, status: 'succeeded' }),
    ]);
    expect(tally(facts.events)['order.paid']).toBe(1);
    expect(facts.events).not.toContain('order.exception');
    expect(facts.sequences).toEqual(facts.events.map((_, n) => n + 1));
    expect(facts.order['version']).toBe(facts.events.length);
  }

  it('counts one message of the provider once, however often it comes', async () => {
    await rounds(async () => {
      const order = await shop.order();
      const payment = await startPayment(app, order);
      const message = bank.message(order, payment, 'booked');
      const statuses = await together(() => bank.send(message));
      expect(tally(statuses)).toEqual({ 200: CALLERS });
      await bank.settled();
      const facts = await factsOf(app, order.txid);
      expectPaidOnce(facts, payment);
      expect(facts.events).toEqual(['order.created', 'order.processing', 'order.paid']);
      const sql = 'SELECT result FROM provider_events WHERE payment_id = $1';
      expect(await select(app, sql, [payment])).toEqual([{ result: 'applied' }]);
    });
  });

  it('counts the money of one payment once, however many messages tell of it', async () => {
    await rounds(async () => {
      const order = await shop.order();
      const payment = await startPayment(app, order);
      await together(() => bank.send(bank.message(order, payment, 'booked')));
      await bank.settled();
      expectPaidOnce(await factsOf(app, order.txid), payment);
      const sql = 'SELECT result FROM provider_events WHERE payment_id = $1';
      const results = await select<{ result: string }>(app, sql, [payment]);
      expect(tally(results.map(({ result }) => result))).toEqual({
        applied: 1,
        ignored: CALLERS - 1,
      });
    });
  });

  it('starts one live payment, however many tabs ask for one', async () => {
    await rounds(async () => {
      const order = await shop.order();
      const answers = await together(() => startAtPage(order));
      expect(tally(answers.map(({ status }) => status))).toEqual({ 303: CALLERS });
      const away = answers.filter(({ headers }) => headers.get('location')!.includes('/sandbox-'));
      expect(away).toHaveLength(1);
      const facts = await factsOf(app, order.txid);
      expect(facts.payments.map(({ status }) => status)).toEqual(['pending']);
      expect(facts.order).toMatchObject({ status: 'processing', attempts: 1 });
      expect(facts.events).toEqual(['order.created', 'order.processing']);
    });
  });

  it('lets one of two booked payments complete the order and notes the other', async () => {
    await rounds(async () => {
      const order = await shop.order();
      const first = await startPayment(app, order);
      await bank.send(bank.message(order, first, 'refused'));
      await bank.settled();
      const second = await startPayment(app, order);
      await together((n) => bank.send(bank.message(order, n % 2 ? first : second, 'booked')));
      await bank.settled();
      const { order: row, payments, events } = await factsOf(app, order.txid);
      expect(row).toMatchObject({
        status: 'paid',
        exception: 'duplicate_payment',
        amount_received: 2 * order.amount,
      });
      expect(payments.map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
      const completing = payments.filter((payment) => payment['completes_order']);
      expect(completing.map(({ id }) => id)).toEqual([row['payment_id']]);
      expect(tally(events)).toMatchObject({ 'order.paid': 1, 'order.exception': 1 });
    });
  });

  it('learns of the money once from callback, returning payer and scheduled look', async () => {
    await rounds(async () => {
      const order = await shop.order();
      const payment = await startPayment(app, order);
      await shop.pay(order.txid, { afterSeconds: 60 });
      app.clock.advance(MINUTE_MS);
      const payerReturns = () => fetch(`${order.paymentPageUrl}/return`, { redirect: 'manual' });
      const ways = [
        async () => void expect((await payerReturns()).status).toBe(303),
        () => app.get(SandboxCallbacksService).sendDue(),
        () => app.get(Sweeper).run(),
        async () => void expect((await shop.read(order.txid)).status).toBe(200),
      ];
      await together((n) => ways[n % ways.length]!());
      await bank.settled();
      expectPaidOnce(await factsOf(app, order.txid), payment);
    });
  });

  it('ends paid in whatever order the messages of one payment come', async () => {
    const results = ['in_progress', 'refused', 'booked', 'in_progress', 'refused'] as const;
    await rounds(async () => {
      const order = await shop.order();
      const payment = await startPayment(app, order);
      const statuses = await together((n) =>
        bank.send(bank.message(order, payment, results[n % results.length]!)),
      );
      expect(tally(statuses)).toEqual({ 200: CALLERS });
      await bank.settled();
      const facts = await factsOf(app, order.txid);
      expectPaidOnce(facts, payment);
      expect(facts.payments).toMatchObject([{ error_code: null, error_message: null }]);
      expect(tally(facts.events)['payment.failed'] ?? 0).toBeLessThanOrEqual(1);
    });
  });

  it.each([
    { first: 'booked', then: 'in_progress', status: 'paid', payment: 'succeeded' },
    { first: 'booked', then: 'refused', status: 'paid', payment: 'succeeded' },
    { first: 'refused', then: 'in_progress', status: 'open', payment: 'failed' },
    { first: 'refused', then: 'booked', status: 'paid', payment: 'succeeded' },
  ] as const)('stays $status when $then comes after $first', async (story) => {
    const order = await shop.order();
    const payment = await startPayment(app, order);
    for (const result of [story.first, story.then]) {
      expect(await bank.send(bank.message(order, payment, result))).toBe(200);
      await bank.settled();
    }
    const facts = await factsOf(app, order.txid);
    expect(facts.order['status']).toBe(story.status);
    expect(facts.payments.map(({ status }) => status)).toEqual([story.payment]);
    expect(tally(facts.events)['order.paid'] ?? 0).toBe(story.status === 'paid' ? 1 : 0);
  });

  it('keeps a message about a payment that is not committed yet, and applies it later', async () => {
    await rounds(async () => {
      const order = await shop.order();
      const payment = randomUUID();
      await beforeCommitOf(START_UNSEEN, [shop.merchantId, order.txid, payment], async () => {
        const message = bank.message(order, payment, 'booked');
        expect(tally(await together(() => bank.send(message)))).toEqual({ 200: CALLERS });
      });
      // A message is applied after its answer: on a busy machine perhaps after the commit, too.
      app.clock.advance(FORGOTTEN_MS);
      await together(() => app.get(Sweeper).run(), 3);
      await bank.settled();
      expectPaidOnce(await factsOf(app, order.txid), payment);
    });
  });
});
