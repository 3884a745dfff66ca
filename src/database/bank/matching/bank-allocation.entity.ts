import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MinorColumn, TimestampColumn } from '../../columns.js';
import { Payment } from '../../payments/payment.entity.js';
import { User } from '../../people/user.entity.js';
import { BankLine } from '../lines/bank-line.entity.js';

/**
 * Allocates a bank line, or a part of it, to an order: one row per successful payment by transfer. The database limits
 * the sum of a line's allocations to the line's amount.
 */
@Entity({ name: 'bank_allocations' })
@Check('bank_allocations_amount_check', `amount > 0`)
@ForeignKey(() => Payment, ['merchantId', 'paymentId'], ['merchantId', 'id'], {
  name: 'bank_allocations_payment_fk',
})
@ForeignKey(() => BankLine, ['lineId'], ['id'], { name: 'bank_allocations_line_fk' })
@ForeignKey(() => User, ['matchedBy'], ['id'], { name: 'bank_allocations_matched_by_fk' })
@Index('bank_allocations_line', ['lineId'])
export class BankAllocation {
  @PrimaryColumn({
    name: 'merchant_id',
    type: 'uuid',
    primaryKeyConstraintName: 'bank_allocations_pk',
  })
  merchantId: string;

  @PrimaryColumn({
    name: 'payment_id',
    type: 'uuid',
    primaryKeyConstraintName: 'bank_allocations_pk',
  })
  paymentId: string;

  @Column({ type: 'uuid' })
  txid: string;

  @Column({ name: 'line_id', type: 'uuid' })
  lineId: string;

  /** Minor units of the line's currency. */
  @MinorColumn('amount')
  amount: number;

  /** Why it was matched: what the matching rules found, or what the operator saw. */
  @Column({ type: 'json' })
  evidence: Readonly<Record<string, unknown>>;

  /** The operator who matched it; null = the matching rules did. */
  @Column({ name: 'matched_by', type: 'uuid', nullable: true })
  matchedBy: string | null;

  /** The payer's account, as the bank had named it when the line paid; set by the database. */
  @Column({ name: 'payer_account', type: 'text', nullable: true })
  payerAccount: string | null;

  @TimestampColumn('created_at')
  createdAt: Date;

  /** When an operator undid it, or the bank returned the money. */
  @TimestampColumn('undone_at', { nullable: true })
  undoneAt: Date | null;

  /** The bank line of the return; null when an operator undid it. */
  @Column({ name: 'undone_by_line_id', type: 'uuid', nullable: true })
  undoneByLineId: string | null;
}
