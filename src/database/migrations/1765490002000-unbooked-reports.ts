import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Only what was booked by then is less than was known: what came later may well be more. */
const up = `
UPDATE provider_events e SET result = 'mismatch' FROM (
  SELECT e.merchant_id, e.id FROM (
    SELECT merchant_id, id, payment_id, result, applied_at,
      (report -> 'outcome' ->> 'amount')::bigint AS said, report -> 'outcome' ->> 'currency' AS currency
    FROM provider_events
    WHERE result IN ('applied', 'ignored') AND report -> 'outcome' ->> 'kind' = 'accepted'
  ) e LEFT JOIN transfers t ON t.merchant_id = e.merchant_id AND t.payment_id = e.payment_id
    AND t.currency = e.currency AND t.kind IN ('payment', 'unallocated')
  GROUP BY e.merchant_id, e.id, e.said, e.result
  HAVING e.said > coalesce(sum(t.amount), 0)
    OR e.result = 'ignored' AND e.said < sum(t.amount) FILTER (WHERE t.created_at <= e.applied_at)
  UNION ALL
  SELECT e.merchant_id, e.id FROM provider_events e
  JOIN payments p ON p.merchant_id = e.merchant_id AND p.id = e.payment_id
  WHERE e.result = 'ignored' AND e.report -> 'outcome' ->> 'kind' = 'declined'
    AND p.amount_received IS NOT NULL AND e.received_at > p.completed_at
) odd WHERE e.merchant_id = odd.merchant_id AND e.id = odd.id;
`;

/** What contradicts the books and was ignored once waits for a person, as it does today. */
export class UnbookedReports1765490002000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  /** Programs of before show them to a person as well, or look at no result. */
  async down(): Promise<void> {
    // Nothing: it is true of them.
  }
}
