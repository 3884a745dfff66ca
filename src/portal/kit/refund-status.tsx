import type { RefundStatus } from '../../database/refunds/refund.entity.js';
import { type Badge, badgeOf, Tag } from './status.js';

export const REFUND_BADGES: Readonly<Record<RefundStatus, Badge>> = {
  requested: { label: 'Pending approval', tone: 'busy', icon: 'clock' },
  approved: { label: 'Approved', tone: 'busy', icon: 'check' },
  submitted: { label: 'Submitted', tone: 'busy', icon: 'busy' },
  succeeded: { label: 'Succeeded', tone: 'good', icon: 'check' },
  failed: { label: 'Failed', tone: 'bad', icon: 'cross' },
  cancelled: { label: 'Cancelled', tone: '', icon: 'ended' },
  rejected: { label: 'Rejected', tone: 'bad', icon: 'cross' },
};

export const RefundTag = ({ status }: { readonly status: RefundStatus }) => (
  <Tag {...badgeOf(REFUND_BADGES, status)} />
);
