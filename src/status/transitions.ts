import { knownOf } from '../common/known.js';
import { type OrderStatus, STATUS_REASONS } from '../database/orders/order.entity.js';

/** Target statuses with their allowed reasons. */
type Moves = Readonly<Partial<Record<OrderStatus, readonly (string | null)[]>>>;

/** A provider's decline code, such as `insufficient_funds`. */
const DECLINE_CODE = 'decline code';

const { processing, paid, cancelled, expired } = STATUS_REASONS;
/** Late money that an operator accepts. */
const PAID_LATE = ['manual'];

/** State machine of orders. */
export const TRANSITIONS: Readonly<Record<OrderStatus, Moves>> = {
  open: {
    processing,
    paid,
    cancelled,
    expired,
  },
  processing: {
    open: [null],
    paid,
    failed: [DECLINE_CODE],
    cancelled,
    expired,
  },
  paid: {},
  failed: { paid: PAID_LATE },
  cancelled: { paid: PAID_LATE },
  expired: { paid: PAID_LATE },
};

/** Transitions when the match that paid an order is undone. */
export const UNDO_OF_PAID: Moves = {
  open: [null],
  processing,
  cancelled,
  expired,
  failed: [DECLINE_CODE],
};

/**
 * @param isUndo whether the match that paid the order is undone
 * @throws Error for an invalid transition, which is a bug and not a bad request
 */
export function assertAllowed(
  from: OrderStatus,
  to: OrderStatus,
  reason: string | null,
  isUndo = false,
): void {
  const reasons = isUndo && from === 'paid' ? UNDO_OF_PAID[to] : knownOf(TRANSITIONS, from)?.[to];
  if (reasons?.includes(reason)) return;
  if (reason !== null && reasons?.includes(DECLINE_CODE)) return;
  throw new Error(`an order may not go from ${from} to ${to} with the reason ${reason}`);
}
