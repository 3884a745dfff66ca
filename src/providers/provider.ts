import type { Locale } from '../common/locale.js';
import type { Mode } from '../database/merchants/api-key.entity.js';
import type { AccountType, Payment } from '../database/payments/payment.entity.js';
import type { ProviderAccount } from '../database/providers/provider-account.entity.js';

/** Who paid, as far as the provider tells; any part of it can be missing or come later. */
export interface Payer {
  readonly accountNumber: string | null;
  readonly accountType: AccountType | null;
  readonly accountName: string | null;
}

/** What became of a payment. Silence, a time-out or nonsense is `unknown`, never a refusal. */
export type Outcome =
  | {
      readonly kind: 'accepted';
      /** Minor units of `currency`: what moved, not what was asked for. */
      readonly amount: number;
      readonly currency: string;
      readonly payer: Payer;
    }
  | { readonly kind: 'declined'; readonly code: string; readonly message: string }
  | { readonly kind: 'pending' }
  | { readonly kind: 'unknown' };

/** All that a provider is told about a payment. */
export interface PaymentRequest {
  /** The same for every call about one payment: the provider's idempotency key. */
  readonly payment: Payment;
  readonly merchantName: string;
  readonly description: string | null;
  /** Where the provider sends the payer's browser afterwards. */
  readonly returnUrl: string;
}

export type StartResult =
  | {
      readonly kind: 'started';
      readonly providerReference: string;
      /** Where the payer goes on, when there is anything to do. */
      readonly redirectUrl: string | null;
    }
  | Extract<Outcome, { kind: 'declined' | 'unknown' }>;

/** A provider's message about a payment. */
export interface ProviderReport {
  /** The provider's own id of the message: it counts once. */
  readonly eventId: string;
  /** Our ids as `uuidOf` gives them: a company may write them in capitals. */
  readonly merchantId: string;
  readonly txid: string;
  readonly paymentId: string;
  /** The provider's own name for the payment, where the message has it. */
  readonly providerReference?: string;
  readonly outcome: Outcome;
}

/** A message that the provider signed and that its adapter does not understand. */
export const UNREADABLE = 'unreadable';

export interface RawCallback {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The bytes as they came: signatures are over bytes. */
  readonly body: Buffer;
}

/** What a payer can choose on the payment page. */
export interface PaymentMethod {
  /** No other method of any provider has it. */
  readonly id: string;
  readonly modes: readonly Mode[];
  /** What the payer reads, in each language of the payment page. */
  readonly labels: Readonly<Record<Locale, string>>;
}

/**
 * One payment company. An adapter keeps nothing: it talks to the company and translates its words.
 * No method is called inside a database transaction, each may be called again for the same payment,
 * and one that fails to get an answer says `unknown` instead of throwing.
 */
export interface PaymentProvider {
  readonly name: string;
  readonly methods: readonly PaymentMethod[];
  /**
   * Where `start` may lead the payer's browser beside this service, such as `https://pay.example`: the
   * form of the payment page leads nowhere else.
   */
  readonly origins?: readonly string[];
  /**
   * The payer brings the money alone, in days: `start` and `status` are not called, `void` only means that nobody
   * waits any longer, and money that comes is told by the lines of a bank.
   */
  readonly isTransfer?: boolean;

  start(request: PaymentRequest): Promise<StartResult>;

  /** Asks what became of the payment. */
  status(payment: Payment): Promise<Outcome>;

  /** Stops the payment, if the company can still do that: true = it will never be paid. */
  void?(payment: Payment): Promise<boolean>;

  /**
   * Verifies the signature before anything else is read.
   * @returns null when the signature or its age is not good: nobody knows who wrote it. What is signed
   * and cannot be understood, or is of more money than an order may have, is kept for a person.
   */
  parseCallback?(
    callback: RawCallback,
    account: ProviderAccount,
    now: Date,
  ): ProviderReport | typeof UNREADABLE | null;
}
