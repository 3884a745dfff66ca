import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../columns.js';
import { Payout } from '../../payouts/payout.entity.js';
import { BankLine } from '../lines/bank-line.entity.js';

const PK = 'bank_payout_lines_pk';

/** Links a payout to the bank line that debited it (`out`) or that brought it back (`in`). */
@Entity({ name: 'bank_payout_lines' })
@Check('bank_payout_lines_direction_check', `direction IN ('in', 'out')`)
@ForeignKey(() => Payout, ['merchantId', 'payoutId'], ['merchantId', 'id'], {
  name: 'bank_payout_lines_payout_fk',
})
@ForeignKey(() => BankLine, ['lineId'], ['id'], { name: 'bank_payout_lines_line_fk' })
@Index('bank_payout_lines_line', ['lineId'])
export class BankPayoutLine {
  @PrimaryColumn({ name: 'merchant_id', type: 'uuid', primaryKeyConstraintName: PK })
  merchantId: string;

  @PrimaryColumn({ name: 'payout_id', type: 'uuid', primaryKeyConstraintName: PK })
  payoutId: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: PK })
  direction: 'in' | 'out';

  /** A batch total is linked to each of its payouts. */
  @Column({ name: 'line_id', type: 'uuid' })
  lineId: string;

  @TimestampColumn('created_at')
  createdAt: Date;
}
