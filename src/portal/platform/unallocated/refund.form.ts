import { textProblem } from '../../../common/text.js';
import type { Unallocated } from '../../../database/ledger/ledger.repository.js';
import type { RecordedRefund } from '../../../payments/recorded-refunds.service.js';
import { amountIn } from '../../kit/amount-field.js';
import { type ParsedForm, textOf } from '../../kit/form.js';
import { moneyText } from '../../kit/order-text.js';

/** Maximum length of a note. */
export const REFUND_NOTE_MAX = 255;

export interface SeenRefund extends RecordedRefund {
  /** Version of the order when the form was rendered. */
  readonly seen: number;
}

/**
 * Parses the form.
 * @param left amounts that can be refunded
 */
export function refundIn(
  form: URLSearchParams,
  left: readonly Unallocated[],
): ParsedForm<SeenRefund> {
  const rest = left.find(({ currency }) => currency === form.get('currency'));
  const amount = rest && amountIn(textOf(form, 'amount'), rest.currency, rest.amount);
  const note = textOf(form, 'note');
  const problems: Record<string, string> = {
    ...(rest ? {} : { currency: 'No funds left in this currency. Choose one from the list.' }),
    ...(typeof amount === 'string' ? { amount } : {}),
    ...(rest && typeof amount === 'number' && amount > rest.amount
      ? { amount: `At most ${moneyText(rest.amount, rest.currency)} can be refunded.` }
      : {}),
    ...(textProblem(note, { min: 1, max: REFUND_NOTE_MAX })
      ? { note: 'Enter how it was refunded, for example the bank reference.' }
      : {}),
  };
  if (!rest || typeof amount !== 'number' || Object.keys(problems).length > 0) return { problems };
  const seen = Number(form.get('version'));
  return { done: { amount, currency: rest.currency, note, seen } };
}
