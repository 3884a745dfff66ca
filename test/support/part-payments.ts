import { ManualReconciliation } from '../../src/bank/matching/manual-reconciliation.service.js';
import { MatcherService } from '../../src/bank/matching/matcher.service.js';
import type { TestApp } from './app.js';
import { select } from './facts.js';
import { person } from './people.js';

const WAITING = `SELECT l.id, l.amount::int, r.merchant_id AS "merchantId", r.txid
  FROM bank_lines l JOIN transfer_references r ON r.reference = l.named_reference AND r.mode = l.mode
  WHERE l.state = 'suggested' AND l.reason = 'less_than_due' ORDER BY l.id`;

interface Waiting {
  readonly id: string;
  readonly amount: number;
  readonly merchantId: string;
  readonly txid: string;
}

/** From now on, an operator confirms part payments of unnamed payers at once, so that only other doubts remain. Their lines look as if rules had matched them. */
export async function confirmPartPayments(app: TestApp): Promise<void> {
  const matcher = app.get(MatcherService);
  const { id: operator } = await person(app, 'operator');
  const matchNew = matcher.matchNew.bind(matcher);
  matcher.matchNew = async (milliseconds) => {
    const isDone = await matchNew(milliseconds);
    for (const { id, ...part } of await select<Waiting>(app, WAITING, [])) {
      await app
        .get(ManualReconciliation)
        .matchManually('test', id, [part], operator, 'A part of the price.');
      await select(app, `UPDATE bank_lines SET reason = 'reference' WHERE id = $1`, [id]);
    }
    return isDone;
  };
}
