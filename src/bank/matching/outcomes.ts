import type { TakenBack } from '../../payments/take-back.service.js';

/**
 * Result of a manual match. `not_waiting` = the line does not exist, is not incoming, or is already processed;
 * `too_much` = the parts exceed the rest of the line, or one is not above 0; `no_order` = an order does not exist, has
 * the other mode, or is listed twice; `unknown_account` = the account was never a collection account of the mode and
 * currency.
 */
export type MatchOutcome =
  | 'matched'
  | 'not_waiting'
  | 'unknown_account'
  | 'too_much'
  | 'no_order'
  | 'wrong_currency'
  | 'too_many_payments';

/**
 * Result of a manual return. `too_much` = the amount is not above 0, or exceeds the rest of the line; `no_payment` = no
 * payment by transfer of the order has enough left; the others as in `MatchOutcome`.
 */
export type ReturnOutcome =
  'returned' | 'not_waiting' | 'too_much' | 'no_order' | 'wrong_currency' | 'no_payment';

export type UndoOutcome = TakenBack | 'not_there';

/** Result of an operator's action; `not_possible` = the state of the line does not allow it. */
export type ReconciliationOutcome = 'done' | 'not_possible';

/** Result of reopening a line; `stands_for_return` = an approved payout relies on it as the return of an earlier one. */
export type ReopenOutcome = ReconciliationOutcome | 'stands_for_return';
