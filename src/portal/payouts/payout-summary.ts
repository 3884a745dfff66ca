import { plainWord } from '../../common/known.js';
import type { ShownPayout } from '../../database/payouts/payout-page.repository.js';
import { HELD } from '../kit/payout-text.js';

/** What of a payout tells where it stands. */
export type SummarisedPayout = Pick<
  ShownPayout,
  'status' | 'statusReason' | 'contentHash' | 'isInOldFile' | 'accountFault'
>;

/**
 * What happened to the payout, and what happens next or is to be done.
 * @param mayManage whether the reader can do something about it
 * @param paidOn the day on which it was paid, as people write it
 */
export function payoutSummary(
  payout: SummarisedPayout,
  mayManage: boolean,
  paidOn: string | null,
): string {
  switch (payout.status) {
    case 'draft':
      return mayManage
        ? 'A draft: no money is set aside, and nobody has been told. Ask for it when you are ready.'
        : 'A draft: no money is set aside. An owner or somebody of finance can ask for it.';
    case 'pending_approval': {
      if (payout.isInOldFile) {
        return 'The bank did not get the file with it, and its money is still set aside. Somebody at the platform looks at it once more; until then it can be cancelled.';
      }
      const meanwhile = mayManage ? '; until then you can change it' : '';
      return `It was asked for, and its money is set aside. Somebody at the platform looks at it next${meanwhile}.`;
    }
    case 'approved':
      if (payout.accountFault) return `The platform has approved it. ${HELD[payout.accountFault]}`;
      return 'The platform has approved it. It leaves with the next file for the bank, and can be cancelled until then.';
    case 'exported':
      return 'It is in a file for the bank, so it can no longer be cancelled. The bank gets the file next.';
    case 'submitted':
      return 'The bank has been told to pay it. The money is on your account within one or two bank days.';
    case 'paid':
      return `The bank paid it${paidOn ? ` on ${paidOn}` : ''}. Nothing more is expected.`;
    case 'rejected':
      return `The platform turned it down${because(payout)} Its money is available again; settle what was wrong, then ask anew.`;
    case 'cancelled':
      return payout.contentHash
        ? 'It was cancelled, and its money is available again.'
        : 'The draft was cancelled. No money had been set aside.';
    case 'failed':
      return `The bank did not pay it${because(payout)} Its money is available again; look at the bank account, then ask anew.`;
    case 'returned':
      return `The money came back from the bank${because(payout)} It is available again; look at the bank account, then ask anew.`;
    default:
      return `It is ${plainWord(payout.status)}.`;
  }
}

/** The reason is in somebody's own words, which may end as sentences do. */
const because = ({ statusReason }: SummarisedPayout): string =>
  statusReason ? `: “${statusReason.trim().replace(/\.$/, '')}”.` : '.';
