import type { MatchableOrder } from '../../../database/bank/bank-queue.repository.js';
import { moneyText } from '../../kit/order-text.js';
import type { NamedForm } from './line.form.js';
import type { BankLinePage } from './line-page.service.js';

/** An order that somebody has typed as its merchant calls it. */
export interface TypedOrder {
  /** Of the form. */
  readonly field: string;
  /** As it was typed. */
  readonly name: string;
  /** At least one; those of which a payer was told how to transfer the money first. */
  readonly orders: readonly MatchableOrder[];
}

type Compared = Pick<
  MatchableOrder,
  'status' | 'amount' | 'amountReceived' | 'currency' | 'customerName' | 'toldAccount'
>;
type Money = Pick<BankLinePage, 'left'> & {
  readonly line: Pick<BankLinePage['line'], 'account' | 'counterpartyName'>;
};

export const NEVER_TOLD = 'Its payer was never told of a bank transfer.';

/** What speaks against an order, a sentence each. */
export function differencesOf({ line, left }: Money, order: Compared, sent: NamedForm): string[] {
  if (sent === 'return') return order.amountReceived > 0 ? [] : ['No money has come for it.'];
  const due = order.amount - order.amountReceived;
  const name = order.customerName;
  const payer = line.counterpartyName;
  return [
    due !== left && `It waits for ${moneyText(Math.max(due, 0), order.currency)}.`,
    !['open', 'processing'].includes(order.status) && 'It waits for no money any more.',
    order.toldAccount === null && NEVER_TOLD,
    ![null, line.account].includes(order.toldAccount) && 'Its payer was told another account.',
    name !== null && payer !== null && plain(name) !== plain(payer) && 'Somebody else has paid.',
  ].filter((each) => each !== false);
}

const plain = (name: string): string => name.normalize('NFKC').trim().toLowerCase();
