import { knownOf, plainWord } from '../../../common/known.js';
import type { PayoutStatus } from '../../../database/payouts/payout.entity.js';
import type { PlatformPayout } from '../../../database/payouts/platform-payout.repository.js';
import { HELD } from '../../kit/payout-text.js';
import { numberText } from '../../kit/values.js';
import type { PayoutOutcome } from './payout-page.service.js';

const SUMMARIES: Readonly<Record<PayoutStatus, string>> = {
  draft: 'Nobody has asked for it yet.',
  pending_approval: 'It goes out when somebody who did not ask for it approves it.',
  approved: 'It goes into the next bank file.',
  exported: 'It is in a bank file. Nobody has said yet that the bank has it.',
  submitted: 'The bank has it.',
  paid: 'The bank has paid it.',
  rejected: 'It was not approved, and the merchant can be paid out the amount again.',
  cancelled: 'The merchant took it back.',
  failed: 'The bank did not pay it, and the merchant can be paid out the amount again.',
  returned: 'The money came back, and the merchant can be paid out the amount again.',
};

/** What the status means, in a sentence. */
export const statusSummary = (payout: Pick<PlatformPayout, 'status' | 'accountFault'>): string =>
  heldText(payout) ?? knownOf(SUMMARIES, payout.status) ?? `It is ${plainWord(payout.status)}.`;

/** Why an approved payout goes into no file; null when it does, or is not approved. */
export const heldText = ({
  status,
  accountFault,
}: Pick<PlatformPayout, 'status' | 'accountFault'>): string | null =>
  status === 'approved' && accountFault ? HELD[accountFault] : null;

export const heldCount = (held: number): string =>
  held === 1
    ? 'One more stays out: nothing is paid to its account now.'
    : `${numberText(held)} more stay out: nothing is paid to their accounts now.`;

interface OutcomeTexts {
  /** On the button that leads there. */
  readonly link: string;
  readonly title: string;
  /** What it means. */
  readonly text: string;
  readonly button: string;
}

export const OUTCOME_TEXTS: Readonly<Record<PayoutOutcome, OutcomeTexts>> = {
  paid: {
    link: 'It is paid',
    title: 'Is the payout paid?',
    text: 'Say so when the bank has taken the amount from the platform’s account for it. If the money comes back later, the payout can still be marked as returned.',
    button: 'Yes, it is paid',
  },
  failed: {
    link: 'The bank refused it',
    title: 'Did the bank refuse the payout?',
    text: 'Say so when the bank has the file and has not paid the amount, and will not. The merchant can be paid out the amount again at once.',
    button: 'Yes, it failed',
  },
  returned: {
    link: 'The money came back',
    title: 'Did the money come back?',
    text: 'Say so when the amount is on the platform’s account again. The merchant can be paid out the amount again at once.',
    button: 'Yes, it came back',
  },
};
