export interface PaymentOrdersOptions {
  /** Where the payment order service answers. */
  readonly serviceUrl: string;
  readonly apiKey: string;
  /** `whsec_…` of the webhook endpoint that was made for this shop. */
  readonly webhookSecret: string;
  /** Where payers reach this Vendure server; the payment page sends them back there. */
  readonly shopUrl: string;
  /** Where they are shown how their order stands. */
  readonly orderPage: (orderCode: string) => string;
}

/** The injection token of the options. */
export const OPTIONS = Symbol('payment-orders options');
