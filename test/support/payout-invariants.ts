import { expect } from '@jest/globals';
import { brokenIn, Doctor } from '../../src/database/doctor/doctor.js';
import type { TestApp } from './app.js';
import { select } from './facts.js';
import { balances } from './payouts.js';

/** Payouts of which the lines do not sum to the amount. A draft has none. */
const OTHER_SUMS = `
  SELECT p.id, p.status, p.amount, l.amount AS lines FROM payouts p, LATERAL (
    SELECT coalesce(sum(amount), 0)::bigint AS amount FROM payout_lines l
    WHERE l.merchant_id = p.merchant_id AND l.payout_id = p.id
  ) l
  WHERE p.merchant_id = ANY ($1)
    AND l.amount <> CASE WHEN p.content_hash IS NULL THEN 0 ELSE p.amount END`;

/** How much of each transfer payouts pay that have not given it back. */
const PAID = `
  SELECT t.*, l.amount AS paid FROM transfers t, LATERAL (
    SELECT coalesce(sum(l.amount), 0)::bigint * CASE t.credit WHEN 'available' THEN 1 ELSE -1 END
      AS amount
    FROM payout_lines l JOIN payouts p ON p.merchant_id = l.merchant_id AND p.id = l.payout_id
    WHERE l.merchant_id = t.merchant_id AND l.transfer_id = t.id
      AND p.status NOT IN ('rejected', 'cancelled', 'failed', 'returned')
  ) l
  WHERE t.merchant_id = ANY ($1)`;

/** Transfers of which payouts pay more than there is, or that are wrongly said to be paid out whole. */
const PAID_TWICE = `
  SELECT id, kind, amount, paid, covered FROM (${PAID}) t
  WHERE paid NOT BETWEEN 0 AND amount OR (paid = amount AND NOT covered)
    OR (covered AND paid NOT IN (0, amount))`;

/** What is left for payouts to pay. */
const LEFT = `
  SELECT merchant_id AS "merchantId", currency,
    sum((amount - paid) * CASE credit WHEN 'available' THEN 1 ELSE -1 END)::bigint AS amount
  FROM (${PAID}) t
  WHERE payment_id IS NOT NULL AND 'available' IN (debit, credit) GROUP BY merchant_id, currency`;

interface Left {
  readonly merchantId: string;
  readonly currency: string;
  readonly amount: number;
}

/** What must be true of these merchants' money at every moment. */
export async function expectSound(app: TestApp, merchantIds: readonly string[]): Promise<void> {
  expect(await select(app, OTHER_SUMS, [merchantIds])).toEqual([]);
  expect(await select(app, PAID_TWICE, [merchantIds])).toEqual([]);
  const left = await select<Left>(app, LEFT, [merchantIds]);
  for (const merchantId of merchantIds) {
    for (const [currency, accounts] of Object.entries(await balances(app, { merchantId }))) {
      expect(Object.values(accounts).reduce((sum, amount) => sum + amount, 0)).toBe(0);
      const rest = left.find((one) => one.merchantId === merchantId && one.currency === currency);
      expect(rest?.amount ?? 0).toBe(accounts['available'] ?? 0);
    }
  }
}

/** What must be true of everything in the database. */
export async function expectHealthy(app: TestApp): Promise<void> {
  const broken = brokenIn(await app.get(Doctor).examine({ overdue: false }));
  expect(broken.map(({ fact, violations }) => [fact.name, violations])).toEqual([]);
}
