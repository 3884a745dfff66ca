/** Why nothing is paid out to a bank account. */
export type AccountFault = 'removed' | 'unconfirmed' | 'unnoticed' | 'waiting';

/** SQL of that for the account `a`, as the trigger `payouts_account_usable` sees it; NULL = it is paid to. */
export const accountFault = (now = 'now()'): string => `CASE
  WHEN a.retired_at IS NOT NULL THEN 'removed' WHEN a.confirmed_at IS NULL THEN 'unconfirmed'
  WHEN a.noticed_at IS NULL THEN 'unnoticed' WHEN a.usable_from > ${now} THEN 'waiting' END`;

/** The account of the payout `p`. */
export const ITS_ACCOUNT =
  'bank_accounts a ON a.merchant_id = p.merchant_id AND a.id = p.bank_account_id';
