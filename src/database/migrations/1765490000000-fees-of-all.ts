import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = `
UPDATE transfers t SET covered = true FROM (
  SELECT merchant_id, payment_id, currency, occurrence, array_agg(id) AS ids FROM transfers
  WHERE NOT covered AND payment_id IS NOT NULL AND kind <> 'reversal'
    AND (debit = 'available' OR credit = 'available')
  GROUP BY merchant_id, payment_id, currency, occurrence
  HAVING sum(CASE WHEN credit = 'available' THEN amount ELSE -amount END) = 0
) p
WHERE t.merchant_id = p.merchant_id AND t.id = ANY (p.ids)
  AND NOT EXISTS (SELECT FROM payout_lines l
    WHERE l.merchant_id = p.merchant_id AND l.transfer_id = ANY (p.ids));
`;

/** Payments that a fee took whole are nothing for payouts; a great many of them stood in the way. */
export class FeesOfAll1765490000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  /** Whether a payout has them makes no difference to what is available. */
  async down(): Promise<void> {
    // Nothing: payouts pass over them.
  }
}
