import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MomentColumn } from '../columns.js';
import { Payout } from '../payouts/payout.entity.js';
import { BankLine } from './bank-line.entity.js';

const PK = 'bank_payout_lines_pk';

/** The line by which a payout left the platform's account, and the one by which it came back. */
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

  /** A total of several payouts is the line of each. */
  @Column({ name: 'line_id', type: 'uuid' })
  lineId: string;

  @MomentColumn('created_at')
  createdAt: Date;
}
