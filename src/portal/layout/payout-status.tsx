import type { PayoutStatus } from '../../database/entities/payout.entity.js';
import { type Look, Tag } from './status.js';

export const PAYOUT_LOOKS: Readonly<Record<PayoutStatus, Look>> = {
  draft: { word: 'Draft', tone: '', icon: 'audit' },
  pending_approval: { word: 'Waits for approval', tone: 'busy', icon: 'clock' },
  approved: { word: 'Approved', tone: 'busy', icon: 'check' },
  exported: { word: 'In a bank file', tone: 'busy', icon: 'bank' },
  submitted: { word: 'At the bank', tone: 'busy', icon: 'bank' },
  paid: { word: 'Paid', tone: 'good', icon: 'check' },
  rejected: { word: 'Rejected', tone: 'bad', icon: 'cross' },
  cancelled: { word: 'Cancelled', tone: '', icon: 'ended' },
  failed: { word: 'Failed', tone: 'bad', icon: 'cross' },
  returned: { word: 'Came back', tone: 'warn', icon: 'warning' },
};

export const PayoutTag = ({ status }: { readonly status: PayoutStatus }) => (
  <Tag look={PAYOUT_LOOKS[status]} />
);
