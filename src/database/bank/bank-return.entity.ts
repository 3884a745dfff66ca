import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MinorColumn, MomentColumn } from '../columns.js';
import { User } from '../people/user.entity.js';
import { BankAllocation } from './bank-allocation.entity.js';
import { BankLine } from './bank-line.entity.js';

/**
 * A line by which a bank took back a payment that another line had brought, or a part of it. Rows are never
 * deleted, and only ever said to be no such thing, once; the database keeps those of a payment within what it brought, and those of a line within its amount.
 */
@Entity({ name: 'bank_returns' })
@Check('bank_returns_amount_check', `amount > 0`)
@ForeignKey(() => BankLine, ['lineId'], ['id'], { name: 'bank_returns_line_fk' })
@ForeignKey(() => BankAllocation, ['merchantId', 'paymentId'], ['merchantId', 'paymentId'], {
  name: 'bank_returns_allocation_fk',
})
@ForeignKey(() => User, ['saidBy'], ['id'], { name: 'bank_returns_said_by_fk' })
@ForeignKey(() => User, ['undoneBy'], ['id'], { name: 'bank_returns_undone_by_fk' })
@Check('bank_returns_undone_check', `(undone_at IS NULL) = (undone_by IS NULL)`)
@Index('bank_returns_payment', ['merchantId', 'paymentId'])
export class BankReturn {
  @PrimaryColumn({ name: 'line_id', type: 'uuid', primaryKeyConstraintName: 'bank_returns_pk' })
  lineId: string;

  @PrimaryColumn({ name: 'merchant_id', type: 'uuid', primaryKeyConstraintName: 'bank_returns_pk' })
  merchantId: string;

  @PrimaryColumn({ name: 'payment_id', type: 'uuid', primaryKeyConstraintName: 'bank_returns_pk' })
  paymentId: string;

  /** Minor units of the line's currency. */
  @MinorColumn('amount')
  amount: number;

  /** Who says that it is this payment's; null = the rules do. */
  @Column({ name: 'said_by', type: 'uuid', nullable: true })
  saidBy: string | null;

  @PrimaryColumn({
    name: 'created_at',
    type: 'timestamptz',
    precision: 3,
    primaryKeyConstraintName: 'bank_returns_pk',
  })
  createdAt: Date;

  /** When a person said that it was no return of this payment; it counts no more since. */
  @MomentColumn('undone_at', { nullable: true })
  undoneAt: Date | null;

  @Column({ name: 'undone_by', type: 'uuid', nullable: true })
  undoneBy: string | null;
}
