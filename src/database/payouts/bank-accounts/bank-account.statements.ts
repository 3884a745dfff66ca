/** Why a bank account receives no payouts. */
export type AccountFault = 'removed' | 'unconfirmed' | 'unnoticed' | 'waiting';

/** SQL for the fault of account `a`, as in the trigger `payouts_account_usable`; NULL = usable. */
export const accountFault = (now = 'now()'): string => `CASE
  WHEN a.retired_at IS NOT NULL THEN 'removed' WHEN a.confirmed_at IS NULL THEN 'unconfirmed'
  WHEN a.noticed_at IS NULL THEN 'unnoticed' WHEN a.usable_from > ${now} THEN 'waiting' END`;

/**
 * Why an approved payout is excluded from payout files: its account is unusable, or a bank line shows that its money
 * already left. A refund: its payer's account is no longer known, or the payer's bank may have taken the payment back.
 */
export type HoldReason = AccountFault | 'left_before' | 'payer_unknown' | 'return_waits';

/** SQL for the hold reason of payout `p` with account `a`; NULL = not held. */
export const heldBy = (now = 'now()'): string =>
  `CASE WHEN left_before(p.merchant_id, p.id) THEN 'left_before'
    WHEN p.refund_id IS NULL THEN ${accountFault(now)}
    WHEN NOT goes_back_to_payer(p.merchant_id, p.id) THEN 'payer_unknown'
    WHEN return_waits(p.merchant_id, p.id, true) THEN 'return_waits' END`;

/** Joins the account `a` of payout `p`; a refund has none. */
export const JOIN_ACCOUNT =
  'bank_accounts a ON a.merchant_id = p.merchant_id AND a.id = p.bank_account_id';
