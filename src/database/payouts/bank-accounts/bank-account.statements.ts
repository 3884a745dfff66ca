/** Why a bank account receives no payouts. */
export type AccountFault = 'removed' | 'unconfirmed' | 'unnoticed' | 'waiting';

/** SQL for the fault of account `a`, as in the trigger `payouts_account_usable`; NULL = usable. */
export const accountFault = (now = 'now()'): string => `CASE
  WHEN a.retired_at IS NOT NULL THEN 'removed' WHEN a.confirmed_at IS NULL THEN 'unconfirmed'
  WHEN a.noticed_at IS NULL THEN 'unnoticed' WHEN a.usable_from > ${now} THEN 'waiting' END`;

/**
 * Why an approved payout is excluded from payout files: its account is unusable, or a bank line shows that its money
 * already left.
 */
export type HoldReason = AccountFault | 'left_before';

/** SQL for the hold reason of payout `p` with account `a`; NULL = not held. */
export const heldBy = (now = 'now()'): string =>
  `CASE WHEN left_before(p.merchant_id, p.id) THEN 'left_before' ELSE ${accountFault(now)} END`;

/** Joins the account `a` of payout `p`. */
export const JOIN_ACCOUNT =
  'bank_accounts a ON a.merchant_id = p.merchant_id AND a.id = p.bank_account_id';
