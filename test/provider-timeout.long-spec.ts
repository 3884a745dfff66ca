import { describe, expect, it, jest } from '@jest/globals';
import { PaymentsService, PROVIDER_TIMEOUT_MS } from '../src/payments/payments.service.js';
import { pollDelaysMs } from '../src/lifecycle/poll-schedule.js';
import { Sweeper } from '../src/payments/sweeper.js';
import { SandboxProvider } from '../src/providers/sandbox/sandbox.provider.js';
import { startAtPage, startPayment } from './support/bank.js';
import { factsOf } from './support/facts.js';
import { openShop } from './support/shop.js';

const POLL_DELAYS_MS = pollDelaysMs(5);

const MINUTE_MS = 60_000;
/** A machine that is busy with other tests answers so much later. */
const LATER_MS = 15_000;

const { app, shop } = await openShop();

describe('a provider that does not answer', () => {
  /** The provider says nothing to these questions until `heal` is called. */
  function silence(...questions: ('start' | 'status' | 'void')[]): () => void {
    const provider = app.get(SandboxProvider);
    const spies = questions.map((question) =>
      jest.spyOn(provider, question).mockReturnValue(new Promise<never>(() => undefined)),
    );
    return () => spies.forEach((spy) => spy.mockRestore());
  }

  async function pass(ms: number): Promise<void> {
    app.clock.advance(ms);
    await app.get(Sweeper).run();
  }

  async function timeOf(work: () => Promise<unknown>): Promise<number> {
    const start = performance.now();
    await work();
    return performance.now() - start;
  }

  it('leaves the outcome unknown after the time-out, and is asked again later', async () => {
    const [starting, returning] = [await shop.order(), await shop.order()];
    await startPayment(app, returning);
    const heal = silence('start', 'status');
    const times = await Promise.all([
      timeOf(() => startAtPage(starting)),
      timeOf(() => fetch(`${returning.paymentPageUrl}/return`, { redirect: 'manual' })),
    ]);
    heal();
    for (const ms of times) {
      expect(ms).toBeGreaterThan(PROVIDER_TIMEOUT_MS - 100);
      expect(ms).toBeLessThan(PROVIDER_TIMEOUT_MS + LATER_MS);
    }
    for (const { txid } of [starting, returning]) {
      const { order, payments } = await factsOf(app, txid);
      expect(order).toMatchObject({ status: 'processing', status_reason: 'outcome_unknown' });
      expect(payments).toMatchObject([{ status: 'pending', error_code: null }]);
    }
    const answers = jest.spyOn(app.get(SandboxProvider), 'status').mockResolvedValue({
      kind: 'accepted',
      amount: 8990,
      currency: 'EUR',
      payer: { accountNumber: null, accountType: null, accountName: null },
    });
    await pass(MINUTE_MS);
    answers.mockRestore();
    for (const { txid } of [starting, returning]) {
      expect((await shop.read(txid)).body).toMatchObject({ status: 'paid', statusReason: 'exact' });
    }
  });

  it('is asked a last time again when that was cut short', async () => {
    const { txid } = await shop.order({ expiresInMinutes: 5 });
    await shop.pay(txid, { outcome: 'unknown' });
    for (const wait of POLL_DELAYS_MS.slice(0, -1)) await pass(wait);
    const stays = jest.spyOn(app.get(SandboxProvider), 'void').mockResolvedValue(false);
    const cut = jest.spyOn(app.get(PaymentsService), 'poll').mockRejectedValueOnce(new Error());
    await pass(POLL_DELAYS_MS.at(-1)!);
    expect(cut).toHaveBeenCalled();
    cut.mockRestore();
    expect((await shop.read(txid)).body.status).toBe('processing');
    await pass(MINUTE_MS);
    stays.mockRestore();
    expect((await shop.read(txid)).body.status).toBe('expired');
    expect((await factsOf(app, txid)).payments).toMatchObject([{ next_poll_at: null }]);
  });

  it('keeps an order from being cancelled, and the order says so', async () => {
    const order = await shop.order();
    await startPayment(app, order);
    const heal = silence('void');
    const answer = await shop.cancel(order.txid);
    heal();
    expect([answer.status, answer.body['code']]).toEqual([409, 'order_not_cancelable']);
    expect((await shop.read(order.txid)).body.status).toBe('processing');
    expect((await shop.cancel(order.txid)).body.status).toBe('cancelled');
  });
});
