import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MinorColumn, MomentColumn } from '../columns.js';
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

/** Payments of an order up to which its payer may start one more. */
export const PAYMENT_ATTEMPTS_MAX = 10;
/** Payments that an order can have: each further transfer that comes for it is one, too. */
export const PAYMENTS_MAX = 50;

/** Where a payer transfers money to, and with which reference. */
export interface TransferForm {
  readonly holder: string;
  /** An IBAN without blanks, or any other text that names the account. */
  readonly account: string;
  readonly bic: string | null;
  readonly bankName: string | null;
  /** As `TransferReference.reference`. */
  readonly reference: string;
}

/** One attempt to pay an order, at one provider. */
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
@Index('payments_due', ['merchantId', 'nextLookAt'], { where: `status = 'pending'` })
@Index('payments_history_provider', ['merchantId', 'provider', 'txid'])
// Over the name in lower case and the account backwards, which only the migration can say.
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

  /** What the payer was asked for. */
  @MinorColumn('amount')
  amount: number;

  @Column({ type: 'text' })
  currency: string;

  /** What arrived, in `receivedCurrency`; null until something did. */
  @MinorColumn('amount_received', { nullable: true })
  amountReceived: number | null;

  @Column({ name: 'received_currency', type: 'text', nullable: true })
  receivedCurrency: string | null;

  /** True for the one payment that made the order paid. */
  @Column({ name: 'completes_order', type: 'boolean', default: false })
  completesOrder: boolean;

  /** The provider's own name for the payment; null until it answered. */
  @Column({ name: 'provider_reference', type: 'text', nullable: true })
  providerReference: string | null;

  /** Where the payer goes on at the provider. */
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

  /** What the payer was told to write into a bank's form; null when it is no transfer. */
  @Column({ type: 'json', nullable: true })
  transfer: TransferForm | null;

  /** How often the provider was asked for the outcome on our own account. */
  @Column({ type: 'integer', default: 0 })
  looks: number;

  /** When it is asked next; null = not again. */
  @MomentColumn('next_look_at', { nullable: true })
  nextLookAt: Date | null;

  @MomentColumn('created_at')
  createdAt: Date;

  @MomentColumn('completed_at', { nullable: true })
  completedAt: Date | null;
}
