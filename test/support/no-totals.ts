import { ManualReconciliation } from '../../src/bank/matching/manual-reconciliation.service.js';
import { MatcherService } from '../../src/bank/matching/matcher.service.js';
import { dueOf } from '../../src/bank/matching/matching.js';
import { MatchingRepository } from '../../src/database/bank/matching/matching.repository.js';
import { Database } from '../../src/database/database.js';
import type { TestApp } from './app.js';
import { lineOf } from './bank-lines.js';
import { select } from './facts.js';
import { person } from './people.js';

const WAITING = `SELECT id FROM bank_lines WHERE state = 'suggested' AND reason = ANY ($1) ORDER BY id`;
const TOTALS = ['less_than_due', 'payer_not_named', 'total_or_payment'];

/**
 * From now on, an operator confirms at once that lines are no totals, nor payments of one, so that only other doubts
 * remain. Their lines look as if rules had matched them.
 * @param isCareful whether lines that statements report differently still wait, whatever else is doubtful about them
 */
export async function confirmNoTotals(app: TestApp, { isCareful = false } = {}): Promise<void> {
  const reasons = isCareful ? TOTALS : [...TOTALS, 'statements_differ'];
  const matcher = app.get(MatcherService);
  const { id: operator } = await person(app, 'operator');
  const matchNew = matcher.matchNew.bind(matcher);
  const confirm = async (id: string): Promise<void> => {
    const line = (await lineOf(app, id))!;
    const { shown } = await matcher.suggestionsFor(line);
    const orders = shown.filter(({ because }) => ['reference', 'looks_like'].includes(because));
    const parts = orders.map(({ order }) => ({
      ...order,
      amount: orders.length === 1 ? line.amount! : dueOf(order),
    }));
    await app.get(ManualReconciliation).matchManually('test', id, parts, operator, 'No total.');
    await select(app, `UPDATE bank_lines SET reason = 'reference' WHERE id = $1`, [id]);
  };
  const confirmable = async (): Promise<string[]> => {
    const ids = (await select<{ id: string }>(app, WAITING, [reasons])).map(({ id }) => id);
    if (!isCareful) return ids;
    const doubts = await app
      .get(Database)
      .entities((tx) => app.get(MatchingRepository).maybeTotals(tx, ids));
    return ids.filter((id) => doubts.get(id) !== 'statements_differ');
  };
  matcher.matchNew = async (milliseconds) => {
    const isDone = await matchNew(milliseconds);
    const waiting = await confirmable();
    for (const id of waiting) await confirm(id);
    return waiting.length > 0 ? matcher.matchNew(milliseconds) : isDone;
  };
}
