import { knownOf } from '../common/known.js';
import type { OrderStatus } from '../database/orders/order.entity.js';

/** Where an order can go, and the reasons that may stand beside the new status. */
type Moves = Readonly<Partial<Record<OrderStatus, readonly (string | null)[]>>>;

/** A reason that a provider gave, such as `insufficient_funds`. */
const DECLINE_CODE = 'decline code';

const PAID = ['exact', 'overpaid', 'manual'];
/** Late money that an operator accepts. */
const PAID_LATE = ['manual'];

/** The life of an order, as data: every change of status is one of these. */
export const TRANSITIONS: Readonly<Record<OrderStatus, Moves>> = {
  open: {
    processing: ['awaiting_provider', 'outcome_unknown'],
    paid: PAID,
    cancelled: ['by_merchant', 'by_payer'],
    expired: ['not_paid', 'partially_paid'],
  },
  processing: {
    open: [null],
    paid: PAID,
    failed: [DECLINE_CODE],
    cancelled: ['by_merchant', 'by_payer'],
    expired: ['not_paid', 'partially_paid'],
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
