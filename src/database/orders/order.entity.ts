import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { MinorColumn, TimestampColumn } from '../columns.js';
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

/** Final statuses: they change only by late money or an operator. */
export const FINISHED_STATUSES: readonly OrderStatus[] = ['paid', 'failed', 'cancelled', 'expired'];

export const isFinished = (status: OrderStatus): boolean => FINISHED_STATUSES.includes(status);

/** Whether the payer has transfer instructions and the money has not arrived. */
export const awaitsTransfer = (order: Pick<Order, 'status' | 'statusReason'>): boolean =>
  order.status === 'processing' && order.statusReason === 'awaiting_transfer';

/** Reasons by status. A failed order has the provider’s last decline code instead. */
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

/** Values of the list's exception filter: any exception, or a specific one. */
export const EXCEPTION_FILTERS = [
  'only',
  ...ORDER_EXCEPTIONS.filter((exception) => exception !== 'none'),
] as const;
export type ExceptionFilter = (typeof EXCEPTION_FILTERS)[number];

const quoted = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(', ');

/** Tautology in the list's queries that steers the planner to the partial indexes; other queries do not use them. */
const OF_LIST = 'amount > 0';

/** Finished orders that still have personal data. */
const KEPT = `erased_at IS NULL AND status IN ('paid', 'failed', 'cancelled', 'expired')`;
/** No money received in any currency. */
export const KEPT_WITHOUT_MONEY = `${KEPT} AND amount_received = 0 AND exception = 'none'`;
export const KEPT_WITH_MONEY = `${KEPT} AND (amount_received > 0 OR exception <> 'none')`;

/**
 * A payment order of a merchant. After the creation it is changed only by `StatusService` and by the statement that
 * stores callbacks.
 */
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
@Check(
  'orders_refund_pending_check',
  `amount_refund_pending = 0 OR amount_refund_pending BETWEEN 1 AND amount_received - amount_refunded`,
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
// The merchant is not the first column: in a small table, the planner would use this index for lookups by txid.
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
// An expression index on lower(customer_email), defined in the migration.
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

  /** False once the order ended unpaid: a new order may reuse the id. */
  @Column({ name: 'holds_merchant_id', type: 'boolean', default: true })
  holdsMerchantId: boolean;

  /** SHA-256 of the canonical request, to distinguish a retry from another order with the same id. */
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

  /** Amount received in the order's currency at any time, less returns. */
  @MinorColumn('amount_received', { default: 0 })
  amountReceived: number;

  /** Amount that payers' banks took back. */
  @MinorColumn('amount_charged_back', { default: 0 })
  amountChargedBack: number;

  @MinorColumn('amount_refunded', { default: 0 })
  amountRefunded: number;

  /** Amount of the refunds that are in progress. */
  @MinorColumn('amount_refund_pending', { default: 0 })
  amountRefundPending: number;

  /** The merchant's fee, once the order is paid. */
  @MinorColumn('fee', { nullable: true })
  fee: number | null;

  @Column({ type: 'text', nullable: true })
  description: string | null;

  @Column({ name: 'customer_name', type: 'text', nullable: true })
  customerName: string | null;

  @Column({ name: 'customer_email', type: 'text', nullable: true })
  customerEmail: string | null;

  /** `json`, not `jsonb`, to keep the order of the pairs. */
  @Column({ name: 'optional_fields', type: 'json' })
  optionalFields: Record<string, string>;

  /** Token of the payment page. With 144 random bits it needs no unique index across merchants. */
  @Column({ name: 'page_token', type: 'text' })
  pageToken: string;

  @Column({ name: 'return_url', type: 'text', nullable: true })
  returnUrl: string | null;

  @Column({ name: 'cancel_url', type: 'text', nullable: true })
  cancelUrl: string | null;

  @Column({ type: 'text', nullable: true })
  locale: string | null;

  /** Number of payment attempts. */
  @Column({ type: 'integer', default: 0 })
  attempts: number;

  /** The shown payment: the one that paid the order, else the latest. */
  @Column({ name: 'payment_id', type: 'uuid', nullable: true })
  paymentId: string | null;

  /** Number of the order's events; incremented by every change (optimistic locking). */
  @Column({ type: 'integer', default: 1 })
  version: number;

  @TimestampColumn('created_at')
  createdAt: Date;

  @TimestampColumn('updated_at')
  updatedAt: Date;

  @TimestampColumn('expires_at')
  expiresAt: Date;

  @TimestampColumn('paid_at', { nullable: true })
  paidAt: Date | null;

  /** Amount at the creation, in minor units, for orders changed since; used by events before the change. */
  @MinorColumn('original_amount', { nullable: true })
  originalAmount: number | null;

  @TimestampColumn('original_expires_at', { nullable: true })
  originalExpiresAt: Date | null;

  /** When personal data was erased; a trigger prevents payer data from being stored again. */
  @TimestampColumn('erased_at', { nullable: true, select: false })
  erasedAt?: Date | null;

  /** Erased as unpaid: a late payment resets both columns, because it may have to be refunded. */
  @Column({ name: 'erased_as_unpaid', type: 'boolean', default: false, select: false })
  erasedAsUnpaid?: boolean;
}

/** Columns of a new order; the others have their defaults. */
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

/** Columns of a waiting order that its merchant may change. */
export const EDITABLE_FIELDS = [
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

export type EditableOrderFields = Pick<Order, (typeof EDITABLE_FIELDS)[number]>;

/** Columns with personal data, and their SQL values after erasure. */
export const ERASED_ORDER = {
  description: 'NULL',
  customerName: 'NULL',
  customerEmail: 'NULL',
  optionalFields: `'{}'`,
  returnUrl: 'NULL',
  cancelUrl: 'NULL',
} as const satisfies Partial<Record<keyof Order, string>>;

/** An order with its shown payment and all payments, oldest first. */
export type OrderWithPayment = Order & {
  readonly payment: Payment | null;
  readonly payments: readonly Payment[];
};
