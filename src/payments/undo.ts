import type { BankReturn } from '../database/bank/matching/bank-return.entity.js';
import { isFinished, type Order } from '../database/orders/order.entity.js';
import type { OrderPast } from '../database/orders/order-past.repository.js';
import { type Payment, PAYMENTS_MAX } from '../database/payments/payment.entity.js';
import { BANK_TRANSFER } from '../providers/bank-transfer/bank-transfer.provider.js';
import type { OrderChange } from '../status/order-change.js';
import { exceptionOfPaid } from './owed-again.js';
import { expiry, stay } from './settlement.js';

/** An order with one match to undo. */
export interface Undoing {
  /** Current state. */
  readonly order: Order;
  /** Other payments, the oldest first. */
  readonly others: readonly Payment[];
  /** Bank returns of these payments. */
  readonly returns: readonly Pick<BankReturn, 'amount' | 'createdAt'>[];
  /** Money received without the undone match, in minor units. */
  readonly amountReceived: number;
  /** Amount that the merchant lacks without it, if the order stays paid. */
  readonly owed: number;
  readonly past: OrderPast;
}

/** State of the order without the match. */
export interface Undone {
  readonly change: OrderChange;
  /** Payment that completes the order instead. */
  readonly completes?: Payment;
  /** Payment that completed the order, and is a partial payment now. */
  readonly isPart?: Payment;
  /** Whether the order waits again for a transfer whose details the payer has. */
  readonly awaitsTransfer?: true;
}

/** State of an order without the money of a match. Pure: the caller holds the order's lock. */
export function withoutMatch(undoing: Undoing, now: Date): Undone {
  const { order, past } = undoing;
  if (order.status === 'paid') {
    const covering = coveringOf(undoing);
    return covering ? paidOtherwise(undoing, covering) : notPaid(undoing, now);
  }
  if (isFinished(order.status)) return { change: ended(undoing, order) };
  return past.lastWait === 'awaiting_transfer' ? stillWaiting(undoing, now) : partGone(undoing);
}

/** Other money covers the price, or did before a chargeback: then it is owed again. */
function paidOtherwise(
  { order, others, amountReceived, owed }: Undoing,
  { payment, sum }: Covering,
): Undone {
  const exception = exceptionOfPaid(order, amountReceived, owed);
  const change = { ...stay(order, { exception, amountReceived }), isMoreMoney: true } as const;
  if (others.some(({ completesOrder }) => completesOrder)) return { change };
  const { id: paymentId, completedAt } = payment;
  if (order.statusReason === 'manual') return { change: { ...change, paymentId } };
  const reason = sum > order.amount ? 'overpaid' : 'exact';
  const paidAt = completedAt!;
  return { change: { ...change, reason, paymentId, paidAt }, completes: payment };
}

/** Payment that reached the price, and the sum at that time. */
interface Covering {
  readonly payment: Payment;
  readonly sum: number;
}

/** Undefined if the money, minus earlier returns, never reached the price. */
function coveringOf({ order, others, returns }: Undoing): Covering | undefined {
  const moves = [
    ...others
      .filter(({ status }) => status === 'succeeded')
      .map((payment) => ({ payment, at: payment.completedAt!, by: payment.amountReceived! })),
    ...returns.map(({ createdAt, amount }) => ({ payment: null, at: createdAt, by: -amount })),
  ].toSorted((one, other) => one.at.getTime() - other.at.getTime());
  let sum = 0;
  for (const { payment, by } of moves) {
    sum += by;
    if (payment && sum >= order.amount) return { payment, sum };
  }
  return undefined;
}

/** Nothing covers the price any more: the order returns to its state before payment, or expires. */
function notPaid(undoing: Undoing, now: Date): Undone {
  const { order, past, amountReceived, others } = undoing;
  const without = { amountReceived, fee: null, isUndo: true } as const;
  const completed = others.find(({ completesOrder }) => completesOrder);
  const isPart = completed ? { isPart: completed } : {};
  if (isFinished(past.status)) {
    const end = { status: past.status, statusReason: past.statusReason };
    return { change: { ...ended(undoing, end), ...without }, ...isPart };
  }
  const waits = stillWaiting(undoing, now);
  const part = others.findLast(({ status }) => status === 'succeeded');
  const paymentId = waits.change.paymentId ?? part?.id ?? order.paymentId!;
  return { ...waits, ...isPart, change: { ...waits.change, ...without, paymentId } };
}

/** An unexpired order waits: for the pending payment, for the rest, or for a transfer of the whole price. */
function stillWaiting(undoing: Undoing, now: Date): Undone {
  const { order, others, amountReceived, past } = undoing;
  const exception = exceptionOfUnpaid(undoing);
  const live = others.find(({ status }) => status === 'pending');
  if (live) {
    const reason = live.provider === BANK_TRANSFER ? 'awaiting_transfer' : 'awaiting_provider';
    const to = { to: 'processing', reason, paymentId: live.id } as const;
    return { change: { ...to, exception, amountReceived } };
  }
  const hasRoom = others.length + 1 < PAYMENTS_MAX;
  if (order.expiresAt <= now || !hasRoom) {
    return { change: { ...expiry({ amountReceived }), exception, amountReceived } };
  }
  const mayAwait = past.lastWait === 'awaiting_transfer' && past.isTransferTold;
  if (amountReceived === 0 && mayAwait) {
    const to = { to: 'processing', reason: 'awaiting_transfer' } as const;
    return { change: { ...to, exception, amountReceived }, awaitsTransfer: true };
  }
  return { change: { to: 'open', reason: null, exception, amountReceived } };
}

const partGone = (undoing: Undoing): Undone => ({
  change: stay(undoing.order, {
    exception: exceptionOfUnpaid(undoing),
    amountReceived: undoing.amountReceived,
  }),
});

/** For an order that ended unpaid. */
function ended(
  undoing: Undoing,
  { status, statusReason }: Pick<Order, 'status' | 'statusReason'>,
): OrderChange {
  const { order, amountReceived } = undoing;
  const isNothing = statusReason === 'partially_paid' && amountReceived === 0;
  const reason = isNothing ? 'not_paid' : statusReason;
  const late = order.exception === 'underpaid' ? order.exception : 'paid_late';
  const exception = amountReceived > 0 ? late : exceptionOfUnpaid(undoing);
  return { to: status, reason, exception, amountReceived };
}

function exceptionOfUnpaid({ order, amountReceived }: Undoing): Order['exception'] {
  if (order.exception === 'wrong_currency') return order.exception;
  if (amountReceived > 0) return 'underpaid';
  return order.amountChargedBack > 0 ? 'charged_back' : 'none';
}
