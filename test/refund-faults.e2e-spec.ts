import { afterAll, describe, expect, it } from '@jest/globals';
import { SandboxRefunds } from '../src/providers/sandbox/sandbox-refunds.js';
import type { RefundOutcome, RefundRequest } from '../src/providers/provider.js';
import { RefundRunner } from '../src/refunds/refund-runner.js';
import { select } from './support/facts.js';
import { expectHealthy } from './support/payout-invariants.js';
import { tally, together, until } from './support/race.js';
import { openShop } from './support/shop.js';

const REFUNDS = 60;

/** A bank whose answers get lost on either way. It pays each call that it hears, as the worst bank would. */
class LosingBank {
  /** Amounts that it has paid, by refund. */
  readonly paid = new Map<string, number[]>();
  private calls = 0;

  refund({ refund }: RefundRequest): Promise<RefundOutcome> {
    const nth = this.calls++ % 5;
    if (nth === 1) return Promise.reject(new Error('connect ECONNREFUSED'));
    if (nth === 4) return Promise.resolve({ kind: 'failed', message: 'No.' });
    this.paid.set(refund.id, [...(this.paid.get(refund.id) ?? []), refund.amount]);
    if (nth === 2) return Promise.reject(new Error('socket hang up'));
    if (nth === 3) return Promise.resolve({ kind: 'pending', reference: refund.id });
    return Promise.resolve({ kind: 'succeeded', reference: refund.id });
  }

  status(refund: RefundRequest['refund']): Promise<RefundOutcome | { kind: 'absent' }> {
    if (this.calls++ % 3 === 0) return Promise.reject(new Error('503'));
    return Promise.resolve(
      this.paid.has(refund.id) ? { kind: 'succeeded', reference: refund.id } : { kind: 'absent' },
    );
  }
}

const bank = new LosingBank();
const { app, shop } = await openShop({
  replace: (builder) => builder.overrideProvider(SandboxRefunds).useValue(bank),
});

const statuses = async (): Promise<Record<string, number>> =>
  tally(
    (await select<{ status: string }>(app, 'SELECT status FROM refunds', [])).map(
      ({ status }) => status,
    ),
  );

describe('refunds at a bank whose answers get lost', () => {
  afterAll(() => expectHealthy(app));

  it('are paid once each, with their own amount, or not at all', async () => {
    for (let n = 0; n < REFUNDS; n++) {
      const { txid } = await shop.order({ amount: 1_000 });
      await shop.pay(txid);
      await shop.call('POST', `/api/order/${txid}/refund`, { amount: 100 + n });
    }
    for (let round = 0; round < 12; round++) {
      // As several processes would.
      await together(() => app.get(RefundRunner).run(), 3);
      app.clock.advance(6 * 3_600_000);
    }
    const { succeeded = 0, failed = 0, ...others } = await statuses();
    expect(others).toEqual({});
    expect(succeeded).toBeGreaterThan(0);
    expect(succeeded + failed).toBe(REFUNDS);
    const rows = await select<{ id: string; amount: number }>(
      app,
      `SELECT id, amount FROM refunds WHERE status = 'succeeded'`,
      [],
    );
    expect(Object.fromEntries(bank.paid)).toEqual(
      Object.fromEntries(rows.map(({ id, amount }) => [id, [amount]])),
    );
  });

  it('wait while the bank is silent, and never fail by themselves', async () => {
    const { txid } = await shop.order({ amount: 1_000 });
    await shop.pay(txid);
    const { body } = await shop.call('POST', `/api/order/${txid}/refund`, {});
    const refuse = (): never => {
      throw new Error('ETIMEDOUT');
    };
    const [refund, status] = [bank.refund.bind(bank), bank.status.bind(bank)];
    Object.assign(bank, { refund: refuse, status: refuse });
    for (let day = 0; day < 40; day++) {
      await app.get(RefundRunner).run();
      app.clock.advance(24 * 3_600_000);
    }
    const read = () => shop.call('GET', `/api/refund/${String(body['id'])}`);
    expect((await read()).body).toMatchObject({ status: 'submitted', completedAt: null });
    Object.assign(bank, { refund, status });
    for (let n = 0; n < 6; n++) {
      await app.get(RefundRunner).run();
      app.clock.advance(24 * 3_600_000);
    }
    expect(['succeeded', 'failed']).toContain((await read()).body['status']);
  });

  it('are not asked for by another process while a call is under way', async () => {
    const { txid } = await shop.order({ amount: 1_000 });
    await shop.pay(txid);
    const { body } = await shop.call('POST', `/api/order/${txid}/refund`, {});
    const id = String(body['id']);
    const slow = Promise.withResolvers<RefundOutcome>();
    let calls = 0;
    const [refund, status] = [bank.refund.bind(bank), bank.status.bind(bank)];
    const ask = (): Promise<RefundOutcome> => {
      calls += 1;
      return slow.promise;
    };
    // The bank does not know the refund yet: the call is still on its way.
    Object.assign(bank, { refund: ask, status: () => Promise.resolve({ kind: 'absent' }) });
    const first = app.get(RefundRunner).run();
    await until('the call', () => Promise.resolve(calls === 1));
    app.clock.advance(9_000);
    await app.get(RefundRunner).run();
    slow.resolve({ kind: 'succeeded', reference: id });
    await first;
    Object.assign(bank, { refund, status });
    expect(calls).toBe(1);
    expect((await shop.call('GET', `/api/refund/${id}`)).body).toMatchObject({
      status: 'succeeded',
    });
  });
});
