import { knownOf } from '../common/known.js';
import type { PayoutEventType } from '../database/notifications/event.entity.js';
import type { PayoutStatus } from '../database/payouts/payout.entity.js';
import type { PayoutTransferKind } from '../ledger/rules.js';

/** Where a payout can go from each status, and what moves in the ledger then. */
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
  // Back when the bank never got the file; until that is said, the file may still pay it. What
  // somebody has downloaded takes a new approval.
  exported: { submitted: 'nothing', approved: 'nothing', pending_approval: 'nothing' },
  submitted: { paid: 'payout_paid', failed: 'payout_released', returned: 'payout_released' },
  paid: { returned: 'payout_returned' },
  rejected: {},
  cancelled: {},
  failed: {},
  returned: {},
};

/** What is told of it; a draft is nobody's business yet. */
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

/** Where a payout can go, and what that books. */
export const movesOf = (status: PayoutStatus): (typeof MOVES)[PayoutStatus] =>
  knownOf(MOVES, status) ?? {};
