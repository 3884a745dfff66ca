import { textProblem } from '../../common/text.js';
import { REFUND_REASON_MAX } from '../../database/refunds/refund.entity.js';
import type { CreateRefundRequest } from '../../refunds/dto/create-refund.request.js';
import { amountIn } from '../kit/amount-field.js';
import { type ParsedForm, textOf } from '../kit/form.js';
import { moneyText } from '../kit/order-text.js';

/**
 * Parses the form. `seen` is the amount that was left when the form was rendered, so that a repeated form refunds
 * nothing.
 * @param left what is left to refund, in minor units
 */
export function refundRequestIn(
  form: URLSearchParams,
  left: number,
  currency: string,
): ParsedForm<CreateRefundRequest> {
  const amount = amountIn(textOf(form, 'amount'), currency, left);
  const reason = textOf(form, 'reason');
  const problems: Record<string, string> = {
    ...(typeof amount === 'string' ? { amount } : {}),
    ...(typeof amount === 'number' && amount > left
      ? { amount: `At most ${moneyText(left, currency)} can be refunded.` }
      : {}),
    ...(reason !== '' && textProblem(reason, { max: REFUND_REASON_MAX })
      ? { reason: `Use at most ${REFUND_REASON_MAX} characters, in one line.` }
      : {}),
  };
  if (typeof amount !== 'number' || Object.keys(problems).length > 0) return { problems };
  const seen = Number(form.get('seen'));
  return { done: { amount, amountRefundable: seen, ...(reason === '' ? {} : { reason }) } };
}
