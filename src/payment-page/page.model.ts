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

/** How a merchant looks to a payer: the same for every order of that merchant. */
export type MerchantTheme = Pick<Merchant, 'name' | 'colour' | 'logoUrl' | 'contactUrl'>;

export type PayMethod = Pick<PaymentMethod, 'id' | 'labels'> & { readonly provider: string };

/** All that the compiled bytes of a page depend on. Never holds anything of one order. */
export interface PageKey {
  theme: MerchantTheme;
  locale: Locale;
  methods: readonly PayMethod[];
  mode: Mode;
  state: PageState;
  cancelable: boolean;
  /** The payer is taken back to the shop in a moment. */
  takesBack: boolean;
  /** Only to be looked at. Such a page is not kept. */
  isSample?: boolean;
}

/** What is different for each order: put into the compiled page at each request, escaped. */
export interface PageSlots extends Partial<TransferSlots> {
  /** The unguessable part of the page's address. */
  token: string;
  /** Changes whenever the page would look different; see `fingerprintOf`. */
  fingerprint: string;
  amount: string;
  orderMerchantId: string;
  /** RFC 3339. */
  serverNow: string;
  /** What is still to be paid, in minor units: the form says what its payer saw. */
  due: string;
  amountDue?: string;
  amountReceived?: string;
  /** There when the amount needs smaller letters to fit into one line of a phone. */
  amountIsLong?: string;
  description?: string;
  declineReason?: string;
  /** The deadline in words, in UTC, and the same moment as RFC 3339. */
  deadline?: string;
  expiresAt?: string;
  /** Until when the bank is asked what became of the payment, in words, in UTC. */
  askedUntil?: string;
  /** There when the order ended and its payer may have sent a transfer. */
  mayHaveSent?: string;
  /** Where the way back to the shop leads. */
  shopUrl?: string;
}

/** What a payer types into a bank's form, as read and as copied. */
export interface TransferSlots {
  holder: string;
  /** An IBAN in groups of four, and without blanks; or else `account`. */
  iban?: string;
  ibanBare?: string;
  account?: string;
  bic?: string;
  bankName?: string;
  /** In groups of four, and without blanks. */
  reference: string;
  referenceBare: string;
  /** What is still due, as money and as `89.90`. */
  rest: string;
  restBare: string;
  /** The last day on which the bank may book it, in words and as `YYYY-MM-DD`. */
  lastDay: string;
  lastDate: string;
  /** `QrDrawing` of the same transfer. */
  qrBox?: string;
  qrPath?: string;
  /** The day on which the account was last looked at, in words. */
  lookedOn?: string;
}

export type SlotName = keyof PageSlots;

/** The facts of an order that decide the page's state. */
export type OrderState = Pick<Order, 'status' | 'statusReason' | 'exception' | 'amountReceived'> & {
  /** The newest payment ended without money. */
  lastAttemptFailed: boolean;
};

/** What the page reads of an order and of the payment that it shows; `OrderWithPayment` fits. */
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
  /** All of them, oldest first. */
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
  /** When the order ends at the latest while its payment is under way. */
  processingUntil: Date | null;
  /** When the account to which the payer transfers was last looked at; null = never. */
  lookedAt: Date | null;
  /** The payer wants to stay, or was taken back to the shop once: who returns from there is not sent away again. */
  stays: boolean;
  now: Date;
}

/** The page still waits for something, so it watches for news. */
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
