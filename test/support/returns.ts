import { ManualReconciliation } from '../../src/bank/matching/manual-reconciliation.service.js';
import type { UndoOutcome } from '../../src/bank/matching/outcomes.js';
import type { BankLine } from '../../src/database/bank/lines/bank-line.entity.js';
import { Database } from '../../src/database/database.js';
import { type TakeBackOutcome, TakeBackService } from '../../src/payments/take-back.service.js';
import type { TestApp } from './app.js';
import { allocationOf, bookedLine, credited } from './bank-lines.js';
import type { Client, OrderJson } from './client.js';
import { select } from './facts.js';

type Credited = Awaited<ReturnType<typeof credited>>;

/** The bank takes back what a payment brought, or a part of it, by a line of its own, past the rules. */
export async function returned(
  app: TestApp,
  { payment, line }: Credited,
  amount = payment.amountReceived!,
): Promise<TakeBackOutcome> {
  const { merchantId, id: paymentId } = payment;
  const out = { amount, direction: 'out', kind: 'return', reason: 'charged_back' } as const;
  const back = await bookedLine(app, { ...out, state: 'not_a_payment' });
  const allocation = (await allocationOf(app, { merchantId, paymentId }))!;
  const by = { lineId: back.id, amount, saidBy: null };
  const outcome = await app
    .get(Database)
    .transaction((tx) => app.get(TakeBackService).takeBack(tx, allocation, by, app.clock.now()));
  await looked(app, [back]);
  if ((await allocationOf(app, allocation))!.undoneAt !== null) {
    const sql = `UPDATE bank_lines SET reason = 'charged_back' WHERE id = $1`;
    await select(app, sql, [line.id]);
  }
  return outcome;
}

/** An operator undoes the match of a line. */
export function undone(app: TestApp, { payment }: Credited): Promise<UndoOutcome> {
  const { merchantId, id: paymentId } = payment;
  return app.get(ManualReconciliation).undo('test', { merchantId, paymentId });
}

const looked = (app: TestApp, lines: readonly BankLine[]) =>
  select(app, 'UPDATE bank_lines SET looked_at = created_at WHERE id = ANY ($1)', [
    lines.map(({ id }) => id),
  ]);

/** An order that a transfer paid, and of which the bank took all back. */
export async function chargedBack(app: TestApp, shop: Client, order: OrderJson): Promise<void> {
  await returned(app, await credited(app, shop, order, order.amount));
}
