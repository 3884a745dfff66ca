import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MinorColumn, TimestampColumn } from '../columns.js';
import { Order } from '../orders/order.entity.js';

export const PAYMENT_STATUSES = ['pending', 'succeeded', 'failed', 'cancelled'] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

export const ACCOUNT_TYPES = [
  'iban',
  'domestic',
  'masked_card',
  'wallet',
  'email',
  'unknown',
] as const;
export type AccountType = (typeof ACCOUNT_TYPES)[number];

/** Maximum payments of an order that its payer may start. */
export const PAYMENT_ATTEMPTS_MAX = 10;
/** Maximum payments of an order, including incoming transfers without an attempt. */
export const PAYMENTS_MAX = 50;

/** Transfer instructions: account and payment reference. */
export interface TransferForm {
  readonly holder: string;
  /** IBAN without spaces, or another account identifier. */
  readonly account: string;
  readonly bic: string | null;
  readonly bankName: string | null;
  /** As `TransferReference.reference`. */
  readonly reference: string;
}

/** A payment attempt for an order at a provider. */
@Entity({ name: 'payments' })
@Check('payments_status_check', `status IN ('pending', 'succeeded', 'failed', 'cancelled')`)
@Check('payments_amount_check', `amount > 0`)
@Check('payments_received_check', `status <> 'succeeded' OR coalesce(amount_received, 0) > 0`)
@Check('payments_completes_check', `NOT completes_order OR status = 'succeeded'`)
@ForeignKey(() => Order, ['merchantId', 'txid'], ['merchantId', 'txid'], {
  name: 'payments_order_fk',
})
@Index('payments_one_live', ['merchantId', 'txid'], { unique: true, where: `status = 'pending'` })
@Index('payments_one_completes', ['merchantId', 'txid'], {
  unique: true,
  where: 'completes_order',
})
@Index('payments_provider_reference', ['merchantId', 'provider', 'providerReference'], {
  unique: true,
})
@Index('payments_order', ['merchantId', 'txid'])
@Index('payments_due', ['merchantId', 'nextPollAt'], { where: `status = 'pending'` })
@Index('payments_history_provider', ['merchantId', 'provider', 'txid'])
// Expression indexes on the lower-case name and the reversed account, defined in the migration.
@Index('payments_payer_name', { synchronize: false })
@Index('payments_payer_account', { synchronize: false })
export class Payment {
  @PrimaryColumn({ name: 'merchant_id', type: 'uuid', primaryKeyConstraintName: 'payments_pk' })
  merchantId: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'payments_pk' })
  id: string;

  @Column({ type: 'uuid' })
  txid: string;

  @Column({ type: 'text' })
  provider: string;

  @Column({ type: 'text' })
  method: string;

  @Column({ type: 'text' })
  status: PaymentStatus;

  /** Requested amount. */
  @MinorColumn('amount')
  amount: number;

  @Column({ type: 'text' })
  currency: string;

  /** Amount received in `receivedCurrency`; null before. */
  @MinorColumn('amount_received', { nullable: true })
  amountReceived: number | null;

  @Column({ name: 'received_currency', type: 'text', nullable: true })
  receivedCurrency: string | null;

  /** True for the payment that completed the order. */
  @Column({ name: 'completes_order', type: 'boolean', default: false })
  completesOrder: boolean;

  /** The provider's id of the payment; null until the provider responds. */
  @Column({ name: 'provider_reference', type: 'text', nullable: true })
  providerReference: string | null;

  /** The provider's page for the payer. */
  @Column({ name: 'redirect_url', type: 'text', nullable: true })
  redirectUrl: string | null;

  @Column({ name: 'error_code', type: 'text', nullable: true })
  errorCode: string | null;

  @Column({ name: 'error_message', type: 'text', nullable: true })
  errorMessage: string | null;

  @Column({ name: 'payer_account_number', type: 'text', nullable: true })
  payerAccountNumber: string | null;

  @Column({ name: 'payer_account_type', type: 'text', nullable: true })
  payerAccountType: AccountType | null;

  @Column({ name: 'payer_account_name', type: 'text', nullable: true })
  payerAccountName: string | null;

  /** Transfer instructions shown to the payer; null for other payments. */
  @Column({ type: 'json', nullable: true })
  transfer: TransferForm | null;

  /** Number of status polls on our own schedule. */
  @Column({ type: 'integer', default: 0 })
  polls: number;

  /** Next status poll; null = none. */
  @TimestampColumn('next_poll_at', { nullable: true })
  nextPollAt: Date | null;

  @TimestampColumn('created_at')
  createdAt: Date;

  @TimestampColumn('completed_at', { nullable: true })
  completedAt: Date | null;
}
