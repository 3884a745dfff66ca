import { knownOf } from '../common/known.js';
import type { RefundEventType } from '../database/notifications/event.entity.js';
import type { RefundStatus } from '../database/refunds/refund.entity.js';
import type { RefundTransferKind } from '../ledger/rules.js';

/** Allowed status transitions, with their ledger bookings. The database enforces the same (`refunds_moves`). */
export const REFUND_MOVES: Readonly<
  Record<RefundStatus, Partial<Record<RefundStatus, RefundTransferKind | 'nothing'>>>
> = {
  requested: { approved: 'nothing', cancelled: 'refund_released', rejected: 'refund_released' },
  approved: { submitted: 'nothing', cancelled: 'refund_released' },
  submitted: { succeeded: 'refund_paid', failed: 'refund_released' },
  // The payer's bank returned it.
  succeeded: { failed: 'refund_returned' },
  failed: {},
  cancelled: {},
  rejected: {},
};

/** Event per status. */
export const eventOf = (status: RefundStatus): RefundEventType => `refund.${status}`;

/** Allowed transitions from a status, with their bookings. */
export const refundMovesOf = (status: RefundStatus): (typeof REFUND_MOVES)[RefundStatus] =>
  knownOf(REFUND_MOVES, status) ?? {};

/** Whether the money is neither with the payer nor the merchant yet. */
export const isPending = (status: RefundStatus): boolean =>
  status === 'requested' || status === 'approved' || status === 'submitted';
