import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MinorColumn, TimestampColumn } from '../../columns.js';
import { User } from '../../people/user.entity.js';
import { BankAllocation } from './bank-allocation.entity.js';
import { BankLine } from '../lines/bank-line.entity.js';

/**
 * A return: a bank line takes back a payment, or a part of it, that another line brought. Rows are never deleted, only
 * undone, once. The database limits the sum of a payment's returns to its allocation, and of a line's returns to the
 * line's amount.
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

  /** The operator who matched it; null = the matching rules did. */
  @Column({ name: 'said_by', type: 'uuid', nullable: true })
  saidBy: string | null;

  @PrimaryColumn({
    name: 'created_at',
    type: 'timestamptz',
    precision: 3,
    primaryKeyConstraintName: 'bank_returns_pk',
  })
  createdAt: Date;

  /** When an operator marked it as not a return of this payment; inactive since. */
  @TimestampColumn('undone_at', { nullable: true })
  undoneAt: Date | null;

  @Column({ name: 'undone_by', type: 'uuid', nullable: true })
  undoneBy: string | null;
}
