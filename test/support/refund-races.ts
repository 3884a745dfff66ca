import { expect } from '@jest/globals';
import { brokenIn, Doctor } from '../../src/database/doctor/doctor.js';
import type { TestApp } from './app.js';
import { select } from './facts.js';

/** Steps of refunds that were told of twice, or in other numbers than the sums changed. */
const TOLD_WRONGLY = `
  SELECT txid, type, count(*)::int AS times FROM events WHERE type LIKE 'refund.%'
    GROUP BY txid, type, data -> 'refundAsOf' ->> 'id' HAVING count(*) > 1
  UNION ALL
  SELECT o.txid, 'order.refunded', e.times FROM orders o
    CROSS JOIN LATERAL (SELECT count(*)::int AS times FROM events
      WHERE txid = o.txid AND type = 'order.refunded') e
    CROSS JOIN LATERAL (SELECT count(*)::int AS times FROM transfers
      WHERE txid = o.txid AND kind IN ('refund_paid', 'refund')) t
    WHERE e.times <> t.times
      AND NOT EXISTS (SELECT FROM transfers WHERE txid = o.txid AND kind = 'refund_returned')`;

/** Orders of which more went back than came in, as refunds, returns or recorded refunds of one payment. */
const TOO_MUCH = `
  SELECT p.txid, p.amount_received AS received, g.amount FROM payments p
    CROSS JOIN LATERAL given_back(p.merchant_id, p.id, p.txid) g (amount)
    WHERE p.amount_received < g.amount`;

/** After any race of refunds: nothing was told of twice, and no cent too much went back. */
export async function expectRefundsRight(app: TestApp): Promise<void> {
  expect(await select(app, TOLD_WRONGLY)).toEqual([]);
  expect(await select(app, TOO_MUCH)).toEqual([]);
  const broken = brokenIn(await app.get(Doctor).examine({ overdue: false }));
  const ofRefunds = broken.filter(({ fact }) => fact.name.includes('refund'));
  expect(ofRefunds.map(({ fact, violations }) => [fact.name, violations])).toEqual([]);
}
