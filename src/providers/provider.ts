import type { Locale } from '../common/locale.js';
import type { Mode } from '../database/merchants/api-key.entity.js';
import type { AccountType, Payment } from '../database/payments/payment.entity.js';
import type { Refund } from '../database/refunds/refund.entity.js';
import type { ProviderAccount } from '../database/providers/provider-account.entity.js';

/** Payer details from the provider; each can be missing or arrive later. */
export interface Payer {
  readonly accountNumber: string | null;
  readonly accountType: AccountType | null;
  readonly accountName: string | null;
}

/** Outcome of a payment. No answer, a timeout or an invalid answer is `unknown`, never a refusal. */
export type Outcome =
  | {
      readonly kind: 'accepted';
      /** Minor units of `currency`: what was paid, not what was requested. */
      readonly amount: number;
      readonly currency: string;
      readonly payer: Payer;
    }
  | { readonly kind: 'declined'; readonly code: string; readonly message: string }
  | { readonly kind: 'pending' }
  | { readonly kind: 'unknown' };

/** Data that a provider receives to start a payment. */
export interface PaymentRequest {
  /** The same for every call about one payment, as idempotency key. */
  readonly payment: Payment;
  readonly merchantName: string;
  readonly description: string | null;
  /** Where the provider redirects the payer's browser. */
  readonly returnUrl: string;
}

export type StartResult =
  | {
      readonly kind: 'started';
      readonly providerReference: string;
      /** Next URL for the payer; null if nothing is left to do. */
      readonly redirectUrl: string | null;
    }
  | Extract<Outcome, { kind: 'declined' | 'unknown' }>;

/** Callback message of a provider about a payment. */
export interface ProviderReport {
  /** The provider's message id, for deduplication. */
  readonly eventId: string;
  /** Normalised with `uuidOf`, since a provider may use capitals. */
  readonly merchantId: string;
  readonly txid: string;
  readonly paymentId: string;
  /** The provider's payment reference, if the message has one. */
  readonly providerReference?: string;
  readonly outcome: Outcome;
}

/** A validly signed message that the adapter cannot parse. */
export const UNREADABLE = 'unreadable';

export interface RawCallback {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Raw bytes, as required by signatures. */
  readonly body: Buffer;
}

/** A refund, with the payment whose money it returns. */
export interface RefundRequest {
  readonly refund: Pick<Refund, 'merchantId' | 'id' | 'amount' | 'currency' | 'reason'>;
  readonly payment: Payment;
}

/** Outcome of a refund. No answer, a timeout or an invalid answer is `unknown`, never a failure. */
export type RefundOutcome =
  | { readonly kind: 'succeeded' | 'pending'; readonly reference: string }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'unknown' };

/** Payment method on the payment page. */
export interface PaymentMethod {
  /** Unique across all providers. */
  readonly id: string;
  readonly modes: readonly Mode[];
  /** Label in each language of the payment page. */
  readonly labels: Readonly<Record<Locale, string>>;
}

/**
 * Adapter for one payment provider. An adapter is stateless: it calls the provider and translates the results. Methods
 * are never called inside a database transaction, can be repeated for the same payment, and return `unknown` instead of
 * throwing if they get no answer.
 */
export interface PaymentProvider {
  readonly name: string;
  readonly methods: readonly PaymentMethod[];
  /**
   * Origins to which `start` may redirect, such as `https://pay.example`: the CSP of the payment page allows no others.
   */
  readonly origins?: readonly string[];
  /**
   * The payer transfers the money themselves within days: `start` and `status` are not called, `void` only stops
   * waiting, and bank lines report the payment.
   */
  readonly isTransfer?: boolean;

  start(request: PaymentRequest): Promise<StartResult>;

  status(payment: Payment): Promise<Outcome>;

  /** Voids the payment, if still possible: true = it will never be paid. */
  void?(payment: Payment): Promise<boolean>;

  /**
   * Sends money of a payment back. The refund's id is the idempotency key: a repeat never refunds again. Adapters with
   * it have `refundStatus`, too.
   */
  refund?(request: RefundRequest): Promise<RefundOutcome>;

  /** Looks for the refund at the provider, by our id: `absent` = the provider never received it. */
  refundStatus?(request: RefundRequest): Promise<RefundOutcome | { readonly kind: 'absent' }>;

  /**
   * Verifies the signature before reading anything else.
   * @returns null if the signature or its age is invalid, since the sender is unknown. Signed messages that are
   * unintelligible or exceed the maximum amount are stored for an operator.
   */
  parseCallback?(
    callback: RawCallback,
    account: ProviderAccount,
    now: Date,
  ): ProviderReport | typeof UNREADABLE | null;
}
