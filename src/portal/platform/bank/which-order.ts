import { normalizedText } from '../../../common/normalized-text.js';
import type { MatchableOrder } from '../../../database/bank/matching/bank-queue.repository.js';
import { moneyText } from '../../kit/order-text.js';
import type { NamedForm } from './line.form.js';
import type { BankLinePage } from './line-page.service.js';

/** Characters of names that are compared. */
const NAME_MAX = 140;

/** An order entered by the merchant's order number. */
export interface TypedOrder {
  /** Name of the form field. */
  readonly field: string;
  /** The text as typed. */
  readonly name: string;
  /** Candidates, at least one; orders whose payer was shown transfer details come first. */
  readonly orders: readonly MatchableOrder[];
}

type Compared = Pick<
  MatchableOrder,
  'status' | 'amount' | 'amountReceived' | 'currency' | 'customerName' | 'instructedAccount'
>;
type Money = Pick<BankLinePage, 'left'> & {
  readonly line: Pick<BankLinePage['line'], 'account' | 'counterpartyName'>;
};

export const NEVER_TOLD = 'Its payer never received transfer details.';

/** Differences between the order and the line, one sentence each. */
export function differencesOf({ line, left }: Money, order: Compared, sent: NamedForm): string[] {
  if (sent === 'return') return order.amountReceived > 0 ? [] : ['It has received no payment.'];
  const due = order.amount - order.amountReceived;
  const name = order.customerName;
  const payer = line.counterpartyName;
  return [
    due !== left && `Outstanding amount: ${moneyText(Math.max(due, 0), order.currency)}.`,
    !['open', 'processing'].includes(order.status) && 'It no longer accepts payments.',
    order.instructedAccount === null && NEVER_TOLD,
    ![null, line.account].includes(order.instructedAccount) &&
      'Its payer was shown another account.',
    name !== null &&
      payer !== null &&
      plain(name) !== plain(payer) &&
      'Payer and customer names differ.',
  ].filter((each) => each !== false);
}

const plain = (name: string): string => normalizedText(name, NAME_MAX).trim().toLowerCase();
