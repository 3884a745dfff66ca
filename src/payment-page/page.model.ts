import type { Locale } from '../common/locale.js';
import type { Mode } from '../database/merchants/api-key.entity.js';
import type { Merchant } from '../database/merchants/merchant.entity.js';
import type { Order } from '../database/orders/order.entity.js';
import type { Payment } from '../database/payments/payment.entity.js';
import type { PaymentMethod } from '../providers/provider.js';

export type PageState =
  | 'open'
  | 'processing'
  | 'awaiting_transfer'
  | 'unknown'
  | 'paid'
  | 'failed'
  | 'cancelled'
  | 'expired'
  | 'underpaid'
  | 'overpaid'
  | 'paid_late'
  | 'charged_back'
  | 'declined';

/** A merchant's appearance for payers, the same for all of its orders. */
export type MerchantTheme = Pick<Merchant, 'name' | 'colour' | 'logoUrl' | 'contactUrl'>;

export type PayMethod = Pick<PaymentMethod, 'id' | 'labels'> & { readonly provider: string };

/** Everything that determines the compiled page. Never contains order data. */
export interface PageKey {
  theme: MerchantTheme;
  locale: Locale;
  methods: readonly PayMethod[];
  mode: Mode;
  state: PageState;
  cancelable: boolean;
  /** The payer is redirected to the shop in a moment. */
  takesBack: boolean;
  /** A sample for viewing only, which is not cached. */
  isSample?: boolean;
}

/** Order data, escaped into the compiled page for each request. */
export interface PageSlots extends Partial<TransferSlots> {
  /** Unguessable part of the page's address. */
  token: string;
  /** Changes whenever the page would look different; see `fingerprintOf`. */
  fingerprint: string;
  amount: string;
  orderMerchantId: string;
  /** RFC 3339. */
  serverNow: string;
  /** Outstanding amount in minor units: the form submits what its payer saw. */
  due: string;
  amountDue?: string;
  amountReceived?: string;
  /** Set if the amount needs smaller letters to fit on a phone. */
  amountIsLong?: string;
  description?: string;
  declineReason?: string;
  /** Deadline in words, in UTC, and as RFC 3339. */
  deadline?: string;
  expiresAt?: string;
  /** Time until which the provider is polled, in words, in UTC. */
  askedUntil?: string;
  /** Set if the order ended and its payer may have sent a transfer. */
  mayHaveSent?: string;
  /** Return URL of the shop. */
  shopUrl?: string;
}

/** Transfer details for the payer, for display and for copying. */
export interface TransferSlots {
  holder: string;
  /** IBAN in groups of four, and without blanks; otherwise `account`. */
  iban?: string;
  ibanBare?: string;
  account?: string;
  bic?: string;
  bankName?: string;
  /** In groups of four, and without blanks. */
  reference: string;
  referenceBare: string;
  /** Outstanding amount, as money and as `89.90`. */
  rest: string;
  restBare: string;
  /** Last booking day, in words and as `YYYY-MM-DD`. */
  lastDay: string;
  lastDate: string;
  /** `QrDrawing` of the same transfer. */
  qrBox?: string;
  qrPath?: string;
  /** Day of the last statement of the account, in words. */
  lookedOn?: string;
}

export type SlotName = keyof PageSlots;

/** Order data that determines the state of the page. */
export type OrderState = Pick<Order, 'status' | 'statusReason' | 'exception' | 'amountReceived'> & {
  /** The newest payment ended without money. */
  lastAttemptFailed: boolean;
};

/** Data that the page reads of an order and its payment; `OrderWithPayment` fits. */
export type PageOrder = Pick<
  Order,
  | 'orderMerchantId'
  | 'txid'
  | 'status'
  | 'statusReason'
  | 'exception'
  | 'amount'
  | 'amountReceived'
  | 'currency'
  | 'description'
  | 'returnUrl'
  | 'cancelUrl'
  | 'expiresAt'
  | 'updatedAt'
  | 'version'
> & {
  payment: Pick<Payment, 'status' | 'errorCode'> | null;
  /** All payments, oldest first. */
  payments: readonly Pick<Payment, 'status' | 'transfer'>[];
};

export interface PageInput {
  order: PageOrder;
  cancelable: boolean;
  token: string;
  theme: MerchantTheme;
  methods: readonly PayMethod[];
  mode: Mode;
  locale: Locale;
  /** Latest end of the order while its payment is in progress. */
  processingUntil: Date | null;
  /** Time of the last check of the account for transfers; null = never. */
  lookedAt: Date | null;
  /** The payer chose to stay, or was redirected to the shop before: no redirect again. */
  stays: boolean;
  now: Date;
}

/** The page waits for changes, so it watches for them. */
export function isLive(state: PageState): boolean {
  return LIVE.has(state);
}

/** The payer can start a payment. */
export function isPayable(state: PageState): boolean {
  return PAYABLE.has(state);
}

const PAYABLE: ReadonlySet<PageState> = new Set(['open', 'declined', 'underpaid']);
const LIVE: ReadonlySet<PageState> = new Set([
  ...PAYABLE,
  'processing',
  'awaiting_transfer',
  'unknown',
]);
