import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MinorColumn, MomentColumn } from '../columns.js';
import type { Mode } from '../merchants/api-key.entity.js';
import { Merchant } from '../merchants/merchant.entity.js';
import { Order } from '../orders/order.entity.js';
import { Payment } from '../payments/payment.entity.js';
import { Payout } from '../payouts/payout.entity.js';

export const TRANSFER_KINDS = [
  'payment',
  'unallocated',
  'allocation',
  'fee',
  'refund',
  'payout_reserved',
  'payout_released',
  'payout_paid',
  'payout_returned',
  'reversal',
  'charge_back',
  'unallocated_back',
  'deallocation',
  'return_undone',
] as const;
export type TransferKind = (typeof TRANSFER_KINDS)[number];

/**
 * Where money is: the merchant's own (`available`, `payout_pending`), at whoever took or sends it
 * (`clearing:<provider>`), earned (`fees`), or of nobody yet (`unallocated`).
 */
export type Account =
  'available' | 'payout_pending' | 'fees' | 'unallocated' | `clearing:${string}`;

/**
 * One double-entry line: money that goes from `debit` to `credit`. Rows are never changed or deleted;
 * triggers see to it. A correction is a transfer of its own, the other way round.
 */
@Entity({ name: 'transfers' })
@Check('transfers_mode_check', `mode IN ('test', 'live')`)
@Check('transfers_currency_check', `currency ~ '^[A-Z]{3}$'`)
@Check(
  'transfers_kind_check',
  `kind IN ('payment', 'unallocated', 'allocation', 'fee', 'payout_reserved', 'payout_released',
    'payout_paid', 'payout_returned', 'reversal', 'refund', 'charge_back',
    'unallocated_back', 'deallocation', 'return_undone')`,
)
@Check('transfers_amount_check', `amount > 0`)
@Check('transfers_accounts_check', `debit <> credit`)
@Check(
  'transfers_cause_check',
  `(payment_id IS NULL) = (txid IS NULL) AND (payout_id IS NULL) = (payout_version IS NULL)
    AND (payment_id IS NULL) <> (payout_id IS NULL)`,
)
@Check(
  'transfers_reversal_check',
  `(kind = 'reversal') = (reverses_id IS NOT NULL) 
    AND (kind IN ('reversal', 'refund')) = (note IS NOT NULL)`,
)
@ForeignKey(() => Merchant, ['merchantId'], ['id'], { name: 'transfers_merchant_fk' })
@ForeignKey(() => Order, ['merchantId', 'txid'], ['merchantId', 'txid'], {
  name: 'transfers_order_fk',
})
@ForeignKey(() => Payment, ['merchantId', 'paymentId'], ['merchantId', 'id'], {
  name: 'transfers_payment_fk',
})
@ForeignKey(() => Payout, ['merchantId', 'payoutId'], ['merchantId', 'id'], {
  name: 'transfers_payout_fk',
})
@ForeignKey(() => Transfer, ['merchantId', 'reversesId'], ['merchantId', 'id'], {
  name: 'transfers_reverses_fk',
})
@Index('transfers_payment_once', ['merchantId', 'paymentId', 'kind', 'currency', 'occurrence'], {
  unique: true,
  where: `kind <> 'reversal' AND payment_id IS NOT NULL`,
})
@Index('transfers_payout_once', ['merchantId', 'payoutId', 'payoutVersion', 'kind'], {
  unique: true,
  where: 'payout_id IS NOT NULL',
})
@Index('transfers_reversed_once', ['merchantId', 'reversesId'], {
  unique: true,
  where: 'reverses_id IS NOT NULL',
})
@Index('transfers_fresh', ['merchantId', 'mode', 'currency'], { where: 'NOT checkpointed' })
@Index('transfers_open', ['merchantId', 'mode', 'currency', 'id'], {
  where: `NOT covered AND payment_id IS NOT NULL
    AND (debit = 'available' OR credit = 'available')`,
})
@Index('transfers_unallocated', ['mode', 'txid'], {
  where: `debit = 'unallocated' OR credit = 'unallocated'`,
})
export class Transfer {
  @PrimaryColumn({ name: 'merchant_id', type: 'uuid', primaryKeyConstraintName: 'transfers_pk' })
  merchantId: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'transfers_pk' })
  id: string;

  @Column({ type: 'text' })
  mode: Mode;

  @Column({ type: 'text' })
  currency: string;

  @Column({ type: 'text' })
  kind: TransferKind;

  @Column({ type: 'text' })
  debit: Account;

  @Column({ type: 'text' })
  credit: Account;

  @MinorColumn('amount')
  amount: number;

  /** The order, where a payment is the cause. */
  @Column({ type: 'uuid', nullable: true })
  txid: string | null;

  /** The payment that is the cause; each kind once in each currency, each time. */
  @Column({ name: 'payment_id', type: 'uuid', nullable: true })
  paymentId: string | null;

  /** The payout that is the cause; each kind once in each of its versions. */
  @Column({ name: 'payout_id', type: 'uuid', nullable: true })
  payoutId: string | null;

  @Column({ name: 'payout_version', type: 'integer', nullable: true })
  payoutVersion: number | null;

  /** The transfer that this one takes back. */
  @Column({ name: 'reverses_id', type: 'uuid', nullable: true })
  reversesId: string | null;

  /** Which time it is that the payment causes such a transfer in the currency, from 1 on. */
  @Column({ type: 'integer', default: 1 })
  occurrence: number;

  /** Why it was taken back, or how the money was sent back. */
  @Column({ type: 'text', nullable: true })
  note: string | null;

  @MomentColumn('created_at')
  createdAt: Date;

  /** Counted in `balances`; until then a balance adds it itself. */
  @Column({ type: 'boolean', default: false })
  checkpointed: boolean;

  /** Wholly in payouts that are under way or done, or taken whole by its own fee. */
  @Column({ type: 'boolean', default: false })
  covered: boolean;
}
