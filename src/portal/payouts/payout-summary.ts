import { plainWord } from '../../common/known.js';
import type { ShownPayout } from '../../database/read-models/payout-page.repository.js';
import { HELD } from '../kit/payout-text.js';

/** Fields that determine the summary. */
export type SummarisedPayout = Pick<
  ShownPayout,
  'status' | 'statusReason' | 'contentHash' | 'isInOldFile' | 'accountFault'
>;

/**
 * Describes the state of the payout and the next step.
 * @param mayManage whether the reader can change payouts
 * @param paidOn formatted day of the payment
 */
export function payoutSummary(
  payout: SummarisedPayout,
  mayManage: boolean,
  paidOn: string | null,
): string {
  switch (payout.status) {
    case 'draft':
      return mayManage
        ? 'Draft: no money is reserved, and the payout is not requested yet. Request it when you are ready.'
        : 'Draft: no money is reserved. An owner or finance member can request it.';
    case 'pending_approval': {
      if (payout.isInOldFile) {
        return 'The bank file with this payout was not sent, and its money is still reserved. The platform reviews it again; until then it can be cancelled.';
      }
      const meanwhile = mayManage ? '; until then you can change it' : '';
      return `Requested, and its money is reserved. The platform reviews it next${meanwhile}.`;
    }
    case 'approved':
      if (payout.accountFault) return `Approved by the platform. ${HELD[payout.accountFault]}`;
      return 'Approved by the platform. It is included in the next bank file and can be cancelled until then.';
    case 'exported':
      return 'It is in a bank file, so it can no longer be cancelled. Next, the file is submitted to the bank.';
    case 'submitted':
      return 'Submitted to the bank. The money arrives in your account within one or two business days.';
    case 'paid':
      return `Paid by the bank${paidOn ? ` on ${paidOn}` : ''}. Nothing more to do.`;
    case 'rejected':
      return `Rejected by the platform${because(payout)} The money is available again. Resolve the reason, then request a new payout.`;
    case 'cancelled':
      return payout.contentHash
        ? 'Cancelled. The money is available again.'
        : 'The payout was cancelled before it was approved. No money is reserved for it.';
    case 'failed':
      return `Not paid by the bank${because(payout)} The money is available again. Check the bank account, then request a new payout.`;
    case 'returned':
      return `Returned by the bank${because(payout)} The money is available again. Check the bank account, then request a new payout.`;
    default:
      return `It is ${plainWord(payout.status)}.`;
  }
}

/** Quotes the typed reason without its final period. */
const because = ({ statusReason }: SummarisedPayout): string =>
  statusReason ? `: “${statusReason.trim().replace(/\.$/, '')}”.` : '.';
