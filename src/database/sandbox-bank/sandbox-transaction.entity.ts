import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { DeclineCode } from '../../common/decline-codes.js';
import { MinorColumn, TimestampColumn } from '../columns.js';
import { type AccountType, Payment } from '../payments/payment.entity.js';

export const SANDBOX_OUTCOMES = ['paid', 'declined', 'pending', 'unknown', 'cancelled'] as const;
export type SandboxOutcome = (typeof SANDBOX_OUTCOMES)[number];

/** A payment at the sandbox bank. */
@Entity({ name: 'sandbox_transactions' })
@Check(
  'sandbox_transactions_outcome_check',
  `outcome IN ('paid', 'declined', 'pending', 'unknown', 'cancelled')`,
)
@ForeignKey(() => Payment, ['merchantId', 'paymentId'], ['merchantId', 'id'], {
  name: 'sandbox_transactions_payment_fk',
})
@Index('sandbox_transactions_reference', ['reference'])
@Index('sandbox_transactions_unsent', ['merchantId', 'dueAt'], { where: 'due_at IS NOT NULL' })
export class SandboxTransaction {
  @PrimaryColumn({
    name: 'merchant_id',
    type: 'uuid',
    primaryKeyConstraintName: 'sandbox_transactions_pk',
  })
  merchantId: string;

  @PrimaryColumn({
    name: 'payment_id',
    type: 'uuid',
    primaryKeyConstraintName: 'sandbox_transactions_pk',
  })
  paymentId: string;

  /** Token of the bank's page. */
  @Column({ type: 'text' })
  reference: string;

  @MinorColumn('amount')
  amount: number;

  @Column({ type: 'text' })
  currency: string;

  /** Payee shown on the bank's page. */
  @Column({ name: 'payee_name', type: 'text' })
  payeeName: string;

  /** URL to which the payer returns from the bank. */
  @Column({ name: 'return_url', type: 'text' })
  returnUrl: string;

  /** Outcome chosen by the payer or a test; null before. */
  @Column({ type: 'text', nullable: true })
  outcome: SandboxOutcome | null;

  /** Amount paid, when it differs from the requested one. */
  @MinorColumn('paid_amount', { nullable: true })
  paidAmount: number | null;

  @Column({ name: 'paid_currency', type: 'text', nullable: true })
  paidCurrency: string | null;

  @Column({ name: 'payer_account_number', type: 'text', nullable: true })
  payerAccountNumber: string | null;

  /** Null when derived from the number. */
  @Column({ name: 'payer_account_type', type: 'text', nullable: true })
  payerAccountType: AccountType | null;

  @Column({ name: 'payer_account_name', type: 'text', nullable: true })
  payerAccountName: string | null;

  /** Decline reason, if any. */
  @Column({ name: 'decline_code', type: 'text', nullable: true })
  declineCode: DeclineCode | null;

  /** When the payer is reported, later than the payment; null = together. */
  @TimestampColumn('payer_due_at', { nullable: true })
  payerDueAt: Date | null;

  /** When the next callback is sent; null = none. */
  @TimestampColumn('due_at', { nullable: true })
  dueAt: Date | null;

  /** Number of identical callbacks. */
  @Column({ type: 'integer', default: 1 })
  repeat: number;

  @TimestampColumn('created_at')
  createdAt: Date;
}
