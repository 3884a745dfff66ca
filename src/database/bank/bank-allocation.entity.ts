import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MinorColumn, MomentColumn } from '../columns.js';
import { Payment } from '../payments/payment.entity.js';
import { User } from '../people/user.entity.js';
import { BankLine } from './bank-line.entity.js';

/**
 * A line, or a part of it, that paid for an order: one for each payment by transfer that brought money.
 * The database keeps those of a line within its amount.
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

  /** What led to it, as the rules found it, or what the person saw. */
  @Column({ type: 'json' })
  evidence: Readonly<Record<string, unknown>>;

  /** Who matched it; null = the rules did. */
  @Column({ name: 'matched_by', type: 'uuid', nullable: true })
  matchedBy: string | null;

  @MomentColumn('created_at')
  createdAt: Date;

  /** When it was undone, or the bank took the money back. */
  @MomentColumn('undone_at', { nullable: true })
  undoneAt: Date | null;

  /** The line by which the bank took it back; null when a person undid it. */
  @Column({ name: 'undone_by_line_id', type: 'uuid', nullable: true })
  undoneByLineId: string | null;
}
