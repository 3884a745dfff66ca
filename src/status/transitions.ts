import { ORDER_STATUSES, type OrderStatus } from '../database/entities/order.entity.js';

interface StatusRule {
  /** Nothing more happens to the order by itself. */
  readonly finished: boolean;
  /** Where it can go, and the reasons that may stand beside the new status. */
  readonly to: Readonly<Partial<Record<OrderStatus, readonly (string | null)[]>>>;
}

/** A reason that a provider gave, such as `insufficient_funds`. */
const DECLINE_CODE = 'decline code';

const PAID = ['exact', 'overpaid', 'manual'];
/** Late money that an operator accepts. */
const PAID_LATE = ['manual'];

/** The life of an order, as data: every change of status is one of these. */
export const TRANSITIONS: Readonly<Record<OrderStatus, StatusRule>> = {
  open: {
    finished: false,
    to: {
      processing: ['awaiting_provider', 'outcome_unknown'],
      paid: PAID,
      cancelled: ['by_merchant', 'by_payer'],
      expired: ['not_paid', 'partially_paid'],
    },
  },
  processing: {
    finished: false,
    to: {
      open: [null],
      paid: PAID,
      failed: [DECLINE_CODE],
      cancelled: ['by_merchant', 'by_payer'],
      expired: ['not_paid', 'partially_paid'],
    },
  },
  paid: { finished: true, to: {} },
  failed: { finished: true, to: { paid: PAID_LATE } },
  cancelled: { finished: true, to: { paid: PAID_LATE } },
  expired: { finished: true, to: { paid: PAID_LATE } },
};

export const isFinished = (status: OrderStatus): boolean => TRANSITIONS[status].finished;

export const FINISHED_STATUSES = ORDER_STATUSES.filter(isFinished);

/** @throws Error for a move that no rule allows: a mistake in the code, not in a request */
export function assertAllowed(from: OrderStatus, to: OrderStatus, reason: string | null): void {
  const reasons = TRANSITIONS[from].to[to];
  if (reasons?.includes(reason)) return;
  if (reason !== null && reasons?.includes(DECLINE_CODE)) return;
  throw new Error(`an order may not go from ${from} to ${to} with the reason ${reason}`);
}
