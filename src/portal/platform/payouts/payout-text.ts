import { knownOf, plainWord } from '../../../common/known.js';
import type { PayoutStatus } from '../../../database/payouts/payout.entity.js';
import type { PlatformPayout } from '../../../database/read-models/platform-payout.repository.js';
import { HELD } from '../../kit/payout-text.js';
import { numberText } from '../../kit/values.js';
import type { PayoutOutcome } from './payout-page.service.js';

const SUMMARIES: Readonly<Record<PayoutStatus, string>> = {
  draft: 'Draft, not requested yet.',
  pending_approval: 'It needs approval by someone other than the requester.',
  approved: 'It is included in the next bank file.',
  exported: 'It is in a bank file that is not marked as submitted yet.',
  submitted: 'It was submitted to the bank.',
  paid: 'The bank has paid it.',
  rejected: 'It was not approved. The amount is available to the merchant again.',
  cancelled: 'Cancelled by the merchant.',
  failed: 'The bank did not pay it. The amount is available to the merchant again.',
  returned: 'The money was returned. The amount is available to the merchant again.',
};

/** Describes the status in one sentence. */
export const statusSummary = (payout: Pick<PlatformPayout, 'status' | 'heldBy'>): string =>
  heldText(payout) ?? knownOf(SUMMARIES, payout.status) ?? `It is ${plainWord(payout.status)}.`;

/** Why an approved payout is excluded from bank files, or null. */
export const heldText = ({
  status,
  heldBy,
}: Pick<PlatformPayout, 'status' | 'heldBy'>): string | null =>
  status === 'approved' && heldBy ? HELD[heldBy] : null;

export const heldCount = (held: number): string =>
  held === 1
    ? '1 more is excluded: see its page for the reason.'
    : `${numberText(held)} more are excluded: see their pages for the reasons.`;

interface OutcomeTexts {
  /** Label of the button that opens the form. */
  readonly link: string;
  readonly title: string;
  /** Explanation. */
  readonly text: string;
  readonly button: string;
}

export const OUTCOME_TEXTS: Readonly<Record<PayoutOutcome, OutcomeTexts>> = {
  paid: {
    link: 'Mark as paid',
    title: 'Mark the payout as paid?',
    text: 'Confirm when the bank has debited the amount from the platform’s account. If the money is returned later, you can still mark the payout as returned.',
    button: 'Mark as paid',
  },
  failed: {
    link: 'Mark as failed',
    title: 'Mark the payout as failed?',
    text: 'Confirm when the bank has the file but did not and will not pay the amount. The amount is available to the merchant again immediately.',
    button: 'Mark as failed',
  },
  returned: {
    link: 'Mark as returned',
    title: 'Mark the payout as returned?',
    text: 'Confirm when the amount is back on the platform’s account. The amount is available to the merchant again immediately.',
    button: 'Mark as returned',
  },
};
