import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { DeclineCode } from '../../common/decline-codes.js';
import { MinorColumn, MomentColumn } from '../columns.js';
import { type AccountType, Payment } from '../payments/payment.entity.js';

export const SANDBOX_OUTCOMES = ['paid', 'declined', 'pending', 'unknown', 'cancelled'] as const;
export type SandboxOutcome = (typeof SANDBOX_OUTCOMES)[number];

/** The sandbox bank's own book: one line for each payment that it was asked to make. */
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

  /** Opens the bank's page. */
  @Column({ type: 'text' })
  reference: string;

  @MinorColumn('amount')
  amount: number;

  @Column({ type: 'text' })
  currency: string;

  /** Shown on the bank's page as the one who gets the money. */
  @Column({ name: 'payee_name', type: 'text' })
  payeeName: string;

  /** Where the payer's browser goes when the bank is done. */
  @Column({ name: 'return_url', type: 'text' })
  returnUrl: string;

  /** What the payer (or a test) chose; null while nobody did. */
  @Column({ type: 'text', nullable: true })
  outcome: SandboxOutcome | null;

  /** What really moved, when it differs from what was asked for. */
  @MinorColumn('paid_amount', { nullable: true })
  paidAmount: number | null;

  @Column({ name: 'paid_currency', type: 'text', nullable: true })
  paidCurrency: string | null;

  @Column({ name: 'payer_account_number', type: 'text', nullable: true })
  payerAccountNumber: string | null;

  /** Null where the number tells it. */
  @Column({ name: 'payer_account_type', type: 'text', nullable: true })
  payerAccountType: AccountType | null;

  @Column({ name: 'payer_account_name', type: 'text', nullable: true })
  payerAccountName: string | null;

  /** Why it refused; null where it gave no reason. */
  @Column({ name: 'decline_code', type: 'text', nullable: true })
  declineCode: DeclineCode | null;

  /** When it tells who paid, later than that money came; null = together. */
  @MomentColumn('payer_due_at', { nullable: true })
  payerDueAt: Date | null;

  /** When the bank sends its next callback; null = sent, or never to be sent. */
  @MomentColumn('due_at', { nullable: true })
  dueAt: Date | null;

  /** How often it sends the same callback. */
  @Column({ type: 'integer', default: 1 })
  repeat: number;

  @MomentColumn('created_at')
  createdAt: Date;
}
