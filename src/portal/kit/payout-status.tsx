import type { PayoutStatus } from '../../database/payouts/payout.entity.js';
import { type Badge, badgeOf, Tag } from './status.js';

export const PAYOUT_BADGES: Readonly<Record<PayoutStatus, Badge>> = {
  draft: { label: 'Draft', tone: '', icon: 'audit' },
  pending_approval: { label: 'Pending approval', tone: 'busy', icon: 'clock' },
  approved: { label: 'Approved', tone: 'busy', icon: 'check' },
  exported: { label: 'In a bank file', tone: 'busy', icon: 'bank' },
  submitted: { label: 'At the bank', tone: 'busy', icon: 'bank' },
  paid: { label: 'Paid', tone: 'good', icon: 'check' },
  rejected: { label: 'Rejected', tone: 'bad', icon: 'cross' },
  cancelled: { label: 'Cancelled', tone: '', icon: 'ended' },
  failed: { label: 'Failed', tone: 'bad', icon: 'cross' },
  returned: { label: 'Returned', tone: 'warn', icon: 'warning' },
};

export const PayoutTag = ({ status }: { readonly status: PayoutStatus }) => (
  <Tag {...badgeOf(PAYOUT_BADGES, status)} />
);
