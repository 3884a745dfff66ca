import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MinorColumn, TimestampColumn } from '../columns.js';
import type { Mode } from '../merchants/api-key.entity.js';
import { Merchant } from '../merchants/merchant.entity.js';
import { Order } from '../orders/order.entity.js';
import { Payment } from '../payments/payment.entity.js';
import { Payout } from '../payouts/payout.entity.js';
import { Refund } from '../refunds/refund.entity.js';

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
  'refund_reserved',
  'refund_released',
  'refund_paid',
  'refund_returned',
] as const;
export type TransferKind = (typeof TRANSFER_KINDS)[number];

/**
 * Ledger account: the merchant's money (`available`, `payout_pending`, `refund_pending`), money at a provider (`clearing:<provider>`),
 * earned fees (`fees`), or unallocated funds (`unallocated`).
 */
export type Account =
  'available' | 'payout_pending' | 'refund_pending' | 'fees' | 'unallocated' | `clearing:${string}`;

/**
 * A double-entry transfer from `debit` to `credit`. Immutable: triggers reject changes and deletions. A correction is a
 * separate transfer in the opposite direction.
 */
@Entity({ name: 'transfers' })
@Check('transfers_mode_check', `mode IN ('test', 'live')`)
@Check('transfers_currency_check', `currency ~ '^[A-Z]{3}$'`)
@Check(
  'transfers_kind_check',
  `kind IN ('payment', 'unallocated', 'allocation', 'fee', 'payout_reserved', 'payout_released',
    'payout_paid', 'payout_returned', 'reversal', 'refund', 'charge_back',
    'unallocated_back', 'deallocation', 'return_undone', 'refund_reserved', 'refund_released',
    'refund_paid', 'refund_returned')`,
)
@Check(
  'transfers_refund_check',
  `(refund_id IS NULL OR payment_id IS NOT NULL) AND (kind IN ('refund_reserved', 'refund_released',
    'refund_paid', 'refund_returned')) = (refund_id IS NOT NULL)`,
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
@ForeignKey(() => Refund, ['merchantId', 'refundId'], ['merchantId', 'id'], {
  name: 'transfers_refund_fk',
})
@ForeignKey(() => Transfer, ['merchantId', 'reversesId'], ['merchantId', 'id'], {
  name: 'transfers_reverses_fk',
})
@Index('transfers_payment_once', ['merchantId', 'paymentId', 'kind', 'currency', 'occurrence'], {
  unique: true,
  where: `kind <> 'reversal' AND payment_id IS NOT NULL AND refund_id IS NULL`,
})
@Index('transfers_payment', ['merchantId', 'paymentId'], { where: 'payment_id IS NOT NULL' })
@Index('transfers_refund_once', ['merchantId', 'refundId', 'kind', 'debit', 'credit'], {
  unique: true,
  where: 'refund_id IS NOT NULL',
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
@Index('transfers_unallocated_back', ['merchantId', 'mode', 'txid'], {
  where: `kind = 'unallocated_back'`,
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

  /** The causing payment; unique by kind, currency and occurrence, except for refunds. */
  @Column({ name: 'payment_id', type: 'uuid', nullable: true })
  paymentId: string | null;

  /** The causing payout; unique by kind and payout version. */
  @Column({ name: 'payout_id', type: 'uuid', nullable: true })
  payoutId: string | null;

  @Column({ name: 'payout_version', type: 'integer', nullable: true })
  payoutVersion: number | null;

  /** The refund of the payment that caused it; unique by kind and accounts. */
  @Column({ name: 'refund_id', type: 'uuid', nullable: true })
  refundId: string | null;

  /** The transfer that this one reverses. */
  @Column({ name: 'reverses_id', type: 'uuid', nullable: true })
  reversesId: string | null;

  /** Number of the payment's transfers of this kind and currency, from 1. */
  @Column({ type: 'integer', default: 1 })
  occurrence: number;

  /** Reason of the reversal, or how the refund was sent. */
  @Column({ type: 'text', nullable: true })
  note: string | null;

  @TimestampColumn('created_at')
  createdAt: Date;

  /** Included in `balances`; otherwise balances add it when read. */
  @Column({ type: 'boolean', default: false })
  checkpointed: boolean;

  /** Fully in active or completed payouts, or its fee equals its amount. */
  @Column({ type: 'boolean', default: false })
  covered: boolean;
}
