import type { BankReturn } from '../database/bank/bank-return.entity.js';
import { isFinished, type Order } from '../database/orders/order.entity.js';
import type { OrderPast } from '../database/orders/order-past.repository.js';
import { type Payment, PAYMENTS_MAX } from '../database/payments/payment.entity.js';
import { BANK_TRANSFER } from '../providers/bank-transfer/bank-transfer.provider.js';
import type { OrderChange } from '../status/order-change.js';
import { exceptionOfPaid } from './owed-again.js';
import { expiry, stay } from './settlement.js';

/** An order one of whose matches is undone. */
export interface Undoing {
  /** As it is. */
  readonly order: Order;
  /** Its payments but for the one that is undone, the first first. */
  readonly others: readonly Payment[];
  /** What banks have taken back of these. */
  readonly returns: readonly Pick<BankReturn, 'amount' | 'createdAt'>[];
  /** What it has received without that one, in minor units. */
  readonly amountReceived: number;
  /** What its merchant lacks of the price without that one, if it stays paid. */
  readonly owed: number;
  readonly past: OrderPast;
}

/** What an order would be without a match. */
export interface Undone {
  readonly change: OrderChange;
  /** The payment that pays the order instead. */
  readonly completes?: Payment;
  /** The payment that paid the order with the rest, and is a part of it now. */
  readonly isPart?: Payment;
  /** Whether the order waits again for a transfer, of which its payer was told. */
  readonly awaitsTransfer?: true;
}

/** What an order would be without the money of a match that is undone. Pure: the caller holds the order's lock. */
export function withoutMatch(undoing: Undoing, now: Date): Undone {
  const { order, past } = undoing;
  if (order.status === 'paid') {
    const covering = coveringOf(undoing);
    return covering ? paidOtherwise(undoing, covering) : notPaid(undoing, now);
  }
  if (isFinished(order.status)) return { change: ended(undoing, order) };
  return past.lastWait === 'awaiting_transfer' ? stillWaiting(undoing, now) : partGone(undoing);
}

/** Other money covers the price, or did before a bank took it back: then that is owed again. */
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

/** The payment with which the money reached the price, and what was there by then. */
interface Covering {
  readonly payment: Payment;
  readonly sum: number;
}

/** Undefined where the money, less what had gone back by then, never reached the price. */
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

/** Nothing covers the price any more: the order is what it was before it was paid, or what its time makes of it. */
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

/** An order whose time is not over waits: for the payment under way, for the rest, or for a transfer of all. */
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

/** Of an order that is over without being paid. */
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
