import { known } from './return-match.js';
import type { BankLine } from '../../database/bank/lines/bank-line.entity.js';
import type { ReportedPayout } from '../../database/bank/matching/bank-payout-line.repository.js';

/** The payout was sent and not rejected by the bank. */
export const isAtBank = ({ status, fileId }: ReportedPayout): boolean =>
  fileId !== null && ['exported', 'submitted', 'paid', 'returned'].includes(status);

/** Whether the line names the account of the only payout. */
export const isPaidTo = ([payout, ...more]: readonly ReportedPayout[], line: BankLine): boolean =>
  more.length === 0 && payout?.iban === line.counterpartyAccount;

/** Whether the line has the payout's account, or none. */
export const mayBePaidTo = ({ iban }: ReportedPayout, line: BankLine): boolean =>
  line.counterpartyAccountType !== 'iban' || line.counterpartyAccount === iban;

/** Whether the payouts have the line's currency and add up to its amount. */
export const sumsToLine = (
  payouts: readonly ReportedPayout[],
  { amount, currency }: BankLine,
): boolean =>
  payouts.length > 0 &&
  payouts.every((payout) => payout.currency === currency) &&
  payouts.reduce((sum, payout) => sum + payout.amount, 0) === amount;

/** Names of the payment file that a line may have. */
export function messageIdsIn({ endToEndId, identifiers }: BankLine): string[] {
  return known([identifiers['messageId'], identifiers['paymentInformationId'], endToEndId]);
}
