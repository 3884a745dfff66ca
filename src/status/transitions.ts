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

/** @throws Error for a move that no rule allows: a mistake in the code, not in a request */
export function assertAllowed(from: OrderStatus, to: OrderStatus, reason: string | null): void {
  const reasons = knownOf(TRANSITIONS, from)?.[to];
  if (reasons?.includes(reason)) return;
  if (reason !== null && reasons?.includes(DECLINE_CODE)) return;
  throw new Error(`an order may not go from ${from} to ${to} with the reason ${reason}`);
}
