import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MinorColumn } from '../columns.js';
import { Transfer } from '../ledger/transfer.entity.js';
import { Payout } from './payout.entity.js';

export const PAYOUT_LINE_KINDS = ['order', 'fee', 'correction'] as const;
export type PayoutLineKind = (typeof PAYOUT_LINE_KINDS)[number];

/** Part of a payout; the lines sum to its amount. */
@Entity({ name: 'payout_lines' })
@Check('payout_lines_number_check', `number > 0`)
@Check('payout_lines_kind_check', `kind IN ('order', 'fee', 'correction')`)
@Check('payout_lines_amount_check', `amount <> 0`)
@ForeignKey(() => Payout, ['merchantId', 'payoutId'], ['merchantId', 'id'], {
  name: 'payout_lines_payout_fk',
})
@ForeignKey(() => Transfer, ['merchantId', 'transferId'], ['merchantId', 'id'], {
  name: 'payout_lines_transfer_fk',
})
@Index('payout_lines_transfer', ['merchantId', 'transferId', 'payoutId'], { unique: true })
@Index('payout_lines_order', ['merchantId', 'txid', 'payoutId'], { where: `kind = 'order'` })
@Index('payout_lines_history', ['merchantId', 'payoutId', 'txid'], { where: `kind = 'order'` })
export class PayoutLine {
  @PrimaryColumn({ name: 'merchant_id', type: 'uuid', primaryKeyConstraintName: 'payout_lines_pk' })
  merchantId: string;

  @PrimaryColumn({ name: 'payout_id', type: 'uuid', primaryKeyConstraintName: 'payout_lines_pk' })
  payoutId: string;

  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'payout_lines_pk' })
  number: number;

  @Column({ type: 'text' })
  kind: PayoutLineKind;

  /** The ledger transfer that this line pays in full or in part. */
  @Column({ name: 'transfer_id', type: 'uuid' })
  transferId: string;

  @Column({ type: 'uuid' })
  txid: string;

  /** Negative for deductions, for example fees. */
  @MinorColumn('amount')
  amount: number;
}
