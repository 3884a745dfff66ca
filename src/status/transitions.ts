import { knownOf } from '../common/known.js';
import { type OrderStatus, STATUS_REASONS } from '../database/orders/order.entity.js';

/** Where an order can go, and the reasons that may stand beside the new status. */
type Moves = Readonly<Partial<Record<OrderStatus, readonly (string | null)[]>>>;

/** A reason that a provider gave, such as `insufficient_funds`. */
const DECLINE_CODE = 'decline code';

const { processing, paid, cancelled, expired } = STATUS_REASONS;
/** Late money that an operator accepts. */
const PAID_LATE = ['manual'];

/** The life of an order, as data: every change of status is one of these. */
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

/** Where an order goes when the match that paid it is undone: to where it would be without that money. */
export const UNDO_OF_PAID: Moves = {
  open: [null],
  processing,
  cancelled,
  expired,
  failed: [DECLINE_CODE],
};

/**
 * @param isUndo whether the match is undone that paid the order
 * @throws Error for a move that no rule allows: a mistake in the code, not in a request
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
