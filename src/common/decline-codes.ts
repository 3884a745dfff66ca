/** Why a payment failed, and whether a retry can help. */
interface Failure {
  readonly meaning: string;
  /** Whether another payment of the same order can succeed. */
  readonly another: string;
}

const failure = (meaning: string, another: string): Failure => ({ meaning, another });

/** Reasons for which a provider declines a payment. Adapters map the provider's codes to these. */
export const DECLINE_CODES = {
  insufficient_funds: failure(
    'There is not enough money in the account.',
    'Yes, later or from another account.',
  ),
  limit_exceeded: failure(
    'The payment is above a limit of the account or card.',
    'Yes, after the limit was raised or from another account.',
  ),
  account_blocked: failure(
    'The account or card is blocked, closed or expired.',
    'From another account only.',
  ),
  authentication_failed: failure(
    'The payer could not confirm the payment, with a code or otherwise.',
    'Yes, at once.',
  ),
  cancelled_by_payer: failure('The payer turned back at the provider.', 'Yes, at once.'),
  timeout: failure(
    'The payer’s bank did not answer the provider in time, and the payment will not be made.',
    'Yes, a little later.',
  ),
  declined: failure(
    'The provider refused and gave no reason, or one that is none of these.',
    'Perhaps; from another account more likely.',
  ),
} as const satisfies Record<string, Failure>;

export type DeclineCode = keyof typeof DECLINE_CODES;

export const isDeclineCode = (code: unknown): code is DeclineCode =>
  typeof code === 'string' && Object.hasOwn(DECLINE_CODES, code);

/**
 * All failure codes of payments and orders today. Clients must accept others: providers have their own, and codes may
 * be added.
 */
export const FAILURE_CODES = {
  ...DECLINE_CODES,
  wrong_currency: failure(
    'Money came, but in another currency than the order’s. It is kept apart, and a person sends it back.',
    'Yes, in the currency of the order.',
  ),
  match_undone: failure(
    'A transfer was taken for this order’s by mistake. It was not, and its money counts for it no more.',
    'Yes, while the order is open.',
  ),
  cancelled: failure(
    'The payment was stopped when a part of the price had been paid before.',
    'Yes, while the order is open.',
  ),
} as const satisfies Record<string, Failure>;
