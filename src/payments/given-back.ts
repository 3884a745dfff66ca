import { isFinished, type Order } from '../database/orders/order.entity.js';
import type { Payment } from '../database/payments/payment.entity.js';
import type { OrderChange } from '../status/order-change.js';
import { exceptionOfPaid } from './owed-again.js';
import { stay } from './settlement.js';

/** Money of a payment whose return was undone. */
export interface GivenBack {
  readonly order: Order;
  readonly payment: Pick<Payment, 'id' | 'completesOrder'>;
  /** Minor units of the order's currency. */
  readonly amount: number;
  /** Amount that the merchant of a paid order still lacks. */
  readonly owed: number;
}

/** Order state after an undone return. Pure: the caller holds the order's lock. */
export function withReturnUndone(given: GivenBack): OrderChange {
  const { order, payment, amount } = given;
  const amountReceived = order.amountReceived + amount;
  const more = { amountReceived, chargedBack: -amount, isMoreMoney: true } as const;
  if (order.status === 'paid') {
    return stay(order, { ...more, exception: exceptionOfMore(given, amountReceived) });
  }
  if (isFinished(order.status)) {
    const isPart = order.statusReason === 'partially_paid';
    return stay(order, { ...more, exception: isPart ? 'underpaid' : 'paid_late' });
  }
  if (amountReceived < order.amount) return stay(order, { ...more, exception: 'underpaid' });
  const isOver = amountReceived > order.amount;
  return {
    ...more,
    to: 'paid',
    reason: isOver ? 'overpaid' : 'exact',
    exception: isOver ? 'overpaid' : 'none',
    paymentId: payment.id,
  };
}

/** The surplus belongs to the payment that paid the order, or to a second one. */
function exceptionOfMore(
  { order, payment, owed }: GivenBack,
  amountReceived: number,
): Order['exception'] {
  const exception = exceptionOfPaid(order, amountReceived, owed);
  const isNew = exception === 'overpaid' && order.exception !== 'overpaid';
  const isSecond = !payment.completesOrder && order.statusReason !== 'manual';
  return isNew && isSecond ? 'duplicate_payment' : exception;
}
