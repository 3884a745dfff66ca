import { textProblem } from '../../../common/text.js';
import type { Unallocated } from '../../../database/ledger/ledger.repository.js';
import type { Refund } from '../../../payments/refunds.service.js';
import { amountIn } from '../../kit/amount-field.js';
import { type ParsedForm, textOf } from '../../kit/form.js';
import { moneyText } from '../../kit/order-text.js';

/** Characters of a note. */
export const REFUND_NOTE_MAX = 255;

export interface SeenRefund extends Refund {
  /** The order's version when the form was made. */
  readonly seen: number;
}

/**
 * Reads the form.
 * @param left what can be sent back
 */
export function refundIn(
  form: URLSearchParams,
  left: readonly Unallocated[],
): ParsedForm<SeenRefund> {
  const rest = left.find(({ currency }) => currency === form.get('currency'));
  const amount = rest && amountIn(textOf(form, 'amount'), rest.currency, rest.amount);
  const note = textOf(form, 'note');
  const problems: Record<string, string> = {
    ...(rest ? {} : { currency: 'Nothing is left in this currency. Choose one of the list.' }),
    ...(typeof amount === 'string' ? { amount } : {}),
    ...(rest && typeof amount === 'number' && amount > rest.amount
      ? { amount: `No more than ${moneyText(rest.amount, rest.currency)} can be sent back.` }
      : {}),
    ...(textProblem(note, { min: 1, max: REFUND_NOTE_MAX })
      ? { note: 'Type how it was sent back, such as the reference at the bank.' }
      : {}),
  };
  if (!rest || typeof amount !== 'number' || Object.keys(problems).length > 0) return { problems };
  const seen = Number(form.get('version'));
  return { done: { amount, currency: rest.currency, note, seen } };
}
