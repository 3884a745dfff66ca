import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { MinorColumn, MomentColumn } from '../columns.js';
import type { Mode } from '../merchants/api-key.entity.js';
import type { Payment } from '../payments/payment.entity.js';

export const ORDER_STATUSES = [
  'open',
  'processing',
  'paid',
  'failed',
  'cancelled',
  'expired',
] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** Of these nothing more happens by itself. */
export const FINISHED_STATUSES: readonly OrderStatus[] = ['paid', 'failed', 'cancelled', 'expired'];

export const isFinished = (status: OrderStatus): boolean => FINISHED_STATUSES.includes(status);

/** Whether a payer was told where to transfer the money, and it has not come. */
export const awaitsTransfer = ({
  status,
  statusReason,
}: Pick<Order, 'status' | 'statusReason'>): boolean =>
  status === 'processing' && statusReason === 'awaiting_transfer';

/** Why an order is in a status. One that failed has the provider’s last decline code instead. */
export const STATUS_REASONS = {
  processing: ['awaiting_provider', 'outcome_unknown', 'awaiting_transfer'],
  paid: ['exact', 'overpaid', 'manual'],
  cancelled: ['by_merchant', 'by_payer'],
  expired: ['not_paid', 'partially_paid'],
} as const;

export const ORDER_EXCEPTIONS = [
  'none',
  'underpaid',
  'overpaid',
  'paid_late',
  'duplicate_payment',
  'wrong_currency',
  'charged_back',
] as const;
export type OrderException = (typeof ORDER_EXCEPTIONS)[number];

/** What of a list of orders can be asked for: any exception, or one. */
export const EXCEPTION_FILTERS = [
  'only',
  ...ORDER_EXCEPTIONS.filter((exception) => exception !== 'none'),
] as const;
export type ExceptionFilter = (typeof EXCEPTION_FILTERS)[number];

const quoted = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(', ');

/** True of every order, but only the list of orders says so: it alone is planned through them. */
const OF_LIST = 'amount > 0';

/** Orders that wait for nothing more, and in which people can still be found. */
const KEPT = `erased_at IS NULL AND status IN ('paid', 'failed', 'cancelled', 'expired')`;
/** Nothing came, of no currency. */
export const KEPT_WITHOUT_MONEY = `${KEPT} AND amount_received = 0 AND exception = 'none'`;
export const KEPT_WITH_MONEY = `${KEPT} AND (amount_received > 0 OR exception <> 'none')`;

/** What a merchant asks a payer to pay. Only `StatusService`, and what stores callbacks, changes one after its creation. */
@Entity({ name: 'orders' })
@Check('orders_mode_check', `mode IN ('test', 'live')`)
@Check('orders_order_merchant_id_check', `char_length(order_merchant_id) BETWEEN 1 AND 64`)
@Check('orders_amount_check', `amount BETWEEN 1 AND 99999999999`)
@Check('orders_currency_check', `currency ~ '^[A-Z]{3}$'`)
@Check('orders_status_check', `status IN (${quoted(ORDER_STATUSES)})`)
@Check('orders_exception_check', `exception IN (${quoted(ORDER_EXCEPTIONS)})`)
@Check('orders_paid_at_check', `(status = 'paid') = (paid_at IS NOT NULL)`)
@Check(
  'orders_paid_in_full_check',
  `status <> 'paid' OR amount_received + amount_charged_back >= amount
    OR status_reason IS NOT DISTINCT FROM 'manual'`,
)
@Check('orders_fee_check', `fee BETWEEN 0 AND amount`)
@Check(
  'orders_refunded_check',
  `amount_refunded BETWEEN 0 AND amount_received + amount_charged_back`,
)
@Check('orders_charged_back_check', `amount_charged_back >= 0 AND amount_received >= 0`)
@Check(
  'orders_holds_merchant_id_check',
  `holds_merchant_id OR status IN ('failed', 'cancelled', 'expired')`,
)
@Check('orders_times_check', `expires_at > created_at AND paid_at >= created_at`)
@Index('orders_order_merchant_id_once', ['merchantId', 'mode', 'orderMerchantId'], {
  unique: true,
  where: 'holds_merchant_id',
})
// Not the merchant first: while the table is small, a look-up by txid would be planned through it.
@Index('orders_order_merchant_id', [
  'orderMerchantId',
  'merchantId',
  'mode',
  'holdsMerchantId',
  'txid',
])
@Index('orders_page_token', ['pageToken'])
@Index('orders_expiring', ['merchantId', 'mode', 'expiresAt'], { where: `status = 'open'` })
@Index('orders_history', ['merchantId', 'mode', 'createdAt', 'currency', 'amount'], {
  where: OF_LIST,
})
@Index('orders_history_status', ['merchantId', 'mode', 'status', 'createdAt'], {
  where: OF_LIST,
})
@Index('orders_history_amount', ['merchantId', 'mode', 'currency', 'amount', 'createdAt', 'txid'], {
  where: OF_LIST,
})
@Index('orders_history_paid', ['merchantId', 'mode', 'paidAt'], {
  where: 'paid_at IS NOT NULL',
})
@Index('orders_history_exception', ['merchantId', 'mode', 'createdAt'], {
  where: `exception <> 'none'`,
})
@Index('orders_kept_without_money', ['merchantId', 'txid'], { where: KEPT_WITHOUT_MONEY })
@Index('orders_kept_with_money', ['merchantId', 'txid'], { where: KEPT_WITH_MONEY })
// Over lower(customer_email), which only the migration can say.
@Index('orders_customer_email', { synchronize: false })
export class Order {
  @PrimaryColumn({ name: 'merchant_id', type: 'uuid', primaryKeyConstraintName: 'orders_pk' })
  merchantId: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'orders_pk' })
  txid: string;

  @Column({ type: 'text' })
  mode: Mode;

  @Column({ name: 'order_merchant_id', type: 'text' })
  orderMerchantId: string;

  /** False once the order ended unpaid: then a new order may use the id again. */
  @Column({ name: 'holds_merchant_id', type: 'boolean', default: true })
  holdsMerchantId: boolean;

  /** SHA-256 of the canonical request, to tell a repeat from another order with the same id. */
  @Column({ name: 'content_hash', type: 'bytea' })
  contentHash: Buffer;

  @Column({ type: 'text' })
  status: OrderStatus;

  @Column({ name: 'status_reason', type: 'text', nullable: true })
  statusReason: string | null;

  @Column({ type: 'text', default: 'none' })
  exception: OrderException;

  @MinorColumn('amount')
  amount: number;

  @Column({ type: 'text' })
  currency: string;

  /** Money in the order's own currency that arrived, whenever it did, less what was taken back. */
  @MinorColumn('amount_received', { default: 0 })
  amountReceived: number;

  /** What payers' banks took back of what arrived. */
  @MinorColumn('amount_charged_back', { default: 0 })
  amountChargedBack: number;

  @MinorColumn('amount_refunded', { default: 0 })
  amountRefunded: number;

  /** What the merchant pays for it, once it is paid. */
  @MinorColumn('fee', { nullable: true })
  fee: number | null;

  @Column({ type: 'text', nullable: true })
  description: string | null;

  @Column({ name: 'customer_name', type: 'text', nullable: true })
  customerName: string | null;

  @Column({ name: 'customer_email', type: 'text', nullable: true })
  customerEmail: string | null;

  /** `json`, not `jsonb`: the pairs come back in the order in which they were sent. */
  @Column({ name: 'optional_fields', type: 'json' })
  optionalFields: Record<string, string>;

  /** Opens the payment page. 144 random bits, so that it needs no unique index across merchants. */
  @Column({ name: 'page_token', type: 'text' })
  pageToken: string;

  @Column({ name: 'return_url', type: 'text', nullable: true })
  returnUrl: string | null;

  @Column({ name: 'cancel_url', type: 'text', nullable: true })
  cancelUrl: string | null;

  @Column({ type: 'text', nullable: true })
  locale: string | null;

  /** Payments started so far. */
  @Column({ type: 'integer', default: 0 })
  attempts: number;

  /** The payment that the order shows: the one that paid it, else the latest. */
  @Column({ name: 'payment_id', type: 'uuid', nullable: true })
  paymentId: string | null;

  /** Number of the order's events; every change raises it, so that a stale writer changes nothing. */
  @Column({ type: 'integer', default: 1 })
  version: number;

  @MomentColumn('created_at')
  createdAt: Date;

  @MomentColumn('updated_at')
  updatedAt: Date;

  @MomentColumn('expires_at')
  expiresAt: Date;

  @MomentColumn('paid_at', { nullable: true })
  paidAt: Date | null;

  /**
   * What a person accepted of late money, in minor units, where an earlier version took less than the
   * price. Nobody changes it; the doctor alone reads it.
   */
  @Column({ name: 'accepted_amount', type: 'bigint', nullable: true, select: false })
  acceptedAmount?: number | null;

  /** As it was made with, in minor units, where it was changed since: what events before then told. */
  @MinorColumn('original_amount', { nullable: true })
  originalAmount: number | null;

  @MomentColumn('original_expires_at', { nullable: true })
  originalExpiresAt: Date | null;

  /** When people were taken out of it: the database keeps its payer from coming back. */
  @MomentColumn('erased_at', { nullable: true, select: false })
  erasedAt?: Date | null;

  /** Erased because nobody paid: money that comes takes both marks away, for it may have to go back. */
  @Column({ name: 'erased_as_unpaid', type: 'boolean', default: false, select: false })
  erasedAsUnpaid?: boolean;
}

/** What a new order is made of; the rest has its first value. */
export const NEW_ORDER = [
  'merchantId',
  'txid',
  'mode',
  'orderMerchantId',
  'contentHash',
  'amount',
  'currency',
  'description',
  'customerName',
  'customerEmail',
  'optionalFields',
  'pageToken',
  'returnUrl',
  'cancelUrl',
  'locale',
  'createdAt',
  'expiresAt',
] as const;

export type NewOrder = Pick<Order, (typeof NEW_ORDER)[number]>;

/** What its merchant may change of an order that waits. */
export const ASKED_ORDER = [
  'amount',
  'description',
  'customerName',
  'customerEmail',
  'optionalFields',
  'returnUrl',
  'cancelUrl',
  'locale',
  'expiresAt',
] as const satisfies readonly (typeof NEW_ORDER)[number][];

export type AskedOrder = Pick<Order, (typeof ASKED_ORDER)[number]>;

/** What can name a person, and, in SQL, what an order has in its place once it is erased. */
export const ERASED_ORDER = {
  description: 'NULL',
  customerName: 'NULL',
  customerEmail: 'NULL',
  optionalFields: `'{}'`,
  returnUrl: 'NULL',
  cancelUrl: 'NULL',
} as const satisfies Partial<Record<keyof Order, string>>;

/** An order together with the payment that it shows, and with all that were started, oldest first. */
export type OrderWithPayment = Order & {
  readonly payment: Payment | null;
  readonly payments: readonly Payment[];
};
