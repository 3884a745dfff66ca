import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MinorColumn, TimestampColumn } from '../columns.js';
import type { Mode } from '../merchants/api-key.entity.js';
import { BankAccount } from './bank-accounts/bank-account.entity.js';

export const PAYOUT_FREQUENCIES = ['daily', 'weekly', 'monthly'] as const;
export type PayoutFrequency = (typeof PAYOUT_FREQUENCIES)[number];

/** A schedule that requests payouts of the available balance automatically. */
@Entity({ name: 'payout_schedules' })
@Check('payout_schedules_mode_check', `mode IN ('test', 'live')`)
@Check('payout_schedules_currency_check', `currency ~ '^[A-Z]{3}$'`)
@Check('payout_schedules_frequency_check', `frequency IN ('daily', 'weekly', 'monthly')`)
@Check('payout_schedules_minimum_check', `minimum_amount > 0`)
@Check(
  'payout_schedules_day_check',
  `CASE frequency WHEN 'daily' THEN day IS NULL
    WHEN 'weekly' THEN day BETWEEN 1 AND 7 ELSE day BETWEEN 1 AND 28 END`,
)
@ForeignKey(() => BankAccount, ['merchantId', 'bankAccountId'], ['merchantId', 'id'], {
  name: 'payout_schedules_bank_account_fk',
})
@Index('payout_schedules_due', ['nextRunAt'])
export class PayoutSchedule {
  @PrimaryColumn({
    name: 'merchant_id',
    type: 'uuid',
    primaryKeyConstraintName: 'payout_schedules_pk',
  })
  merchantId: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'payout_schedules_pk' })
  mode: Mode;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'payout_schedules_pk' })
  currency: string;

  @Column({ type: 'text' })
  frequency: PayoutFrequency;

  /** Day of the week (Monday = 1) or of the month (1 to 28); null when daily. */
  @Column({ type: 'integer', nullable: true })
  day: number | null;

  /** A smaller balance waits for the next run. */
  @MinorColumn('minimum_amount')
  minimumAmount: number;

  @Column({ name: 'bank_account_id', type: 'uuid' })
  bankAccountId: string;

  /** Users who created or changed it: they count as requesters of its payouts. */
  @Column({ name: 'changed_by', type: 'uuid', array: true, default: () => "'{}'" })
  changedBy: string[];

  @TimestampColumn('next_run_at')
  nextRunAt: Date;

  @TimestampColumn('updated_at')
  updatedAt: Date;
}
