import { knownOf } from '../common/known.js';
import type { PayoutEventType } from '../database/notifications/event.entity.js';
import type { PayoutStatus } from '../database/payouts/payout.entity.js';
import type { PayoutTransferKind } from '../ledger/rules.js';

/** Allowed status transitions, with their ledger bookings. The database enforces the same (`payouts_moves`). */
export const MOVES: Readonly<
  Record<PayoutStatus, Partial<Record<PayoutStatus, PayoutTransferKind | 'nothing'>>>
> = {
  draft: { pending_approval: 'payout_reserved', cancelled: 'nothing' },
  pending_approval: {
    approved: 'nothing',
    rejected: 'payout_released',
    cancelled: 'payout_released',
  },
  approved: { exported: 'nothing', rejected: 'payout_released', cancelled: 'payout_released' },
  // Back only after the file is recorded as not sent; until then it may still be paid. A downloaded file requires a new
  // approval.
  exported: { submitted: 'nothing', approved: 'nothing', pending_approval: 'nothing' },
  submitted: { paid: 'payout_paid', failed: 'payout_released', returned: 'payout_released' },
  paid: { returned: 'payout_returned' },
  rejected: {},
  cancelled: {},
  failed: {},
  returned: {},
};

/** Event per status; drafts emit none. */
export const EVENT_OF: Readonly<Record<PayoutStatus, PayoutEventType | null>> = {
  draft: null,
  pending_approval: 'payout.requested',
  approved: 'payout.approved',
  exported: 'payout.exported',
  submitted: 'payout.submitted',
  paid: 'payout.paid',
  rejected: 'payout.rejected',
  cancelled: 'payout.cancelled',
  failed: 'payout.failed',
  returned: 'payout.returned',
};

/** Allowed transitions from a status, with their bookings. */
export const movesOf = (status: PayoutStatus): (typeof MOVES)[PayoutStatus] =>
  knownOf(MOVES, status) ?? {};
