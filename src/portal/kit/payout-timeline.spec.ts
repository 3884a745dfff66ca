import { describe, expect, it } from '@jest/globals';
import type {
  NamedPayout,
  PayoutAuditEntry,
} from '../../database/read-models/payout-page.repository.js';
import type { ReadPayoutEvent } from '../../database/payouts/payout.repository.js';
import { payoutTimeline } from './payout-timeline.js';

const payout = {
  currency: 'EUR',
  requestedBy: 'somebody',
  requestedByName: 'Ada',
  approvedByName: 'Olga',
} as NamedPayout;

let minute = 0;
const next = () => new Date(Date.UTC(2026, 0, 1, 0, minute++));

const event = (type: ReadPayoutEvent['type'], change: object = {}): ReadPayoutEvent => ({
  id: type,
  sequence: minute,
  type,
  data: {
    status: 'approved',
    statusReason: null,
    amount: 1_200,
    currency: 'EUR',
    requestedBy: null,
    createdAt: '2026-01-01T00:00:00Z',
    holder: 'Test Shop',
    iban: 'NL91ABNA0417164300',
    paidAt: null,
    ...change,
  },
  createdAt: next(),
});

const entry = (action: string, userName: string, data: object = {}): PayoutAuditEntry => ({
  action,
  userName,
  data: { ...data },
  createdAt: next(),
});

const texts = (
  events: ReadPayoutEvent[],
  entries: PayoutAuditEntry[] = [],
  of: NamedPayout = payout,
) => payoutTimeline(of, events, entries).map(({ what, details }) => [what, ...details].join(' | '));

describe(payoutTimeline.name, () => {
  it('tells who did what, as the audit log knows it', () => {
    const entries = [
      entry('payout.drafted', 'Ada'),
      entry('payout.changed', 'Ben', { status: 'draft' }),
      entry('payout.requested', 'Ben'),
      entry('payout.changed', 'Ada', { status: 'pending_approval' }),
    ];
    const wish = '12.00 EUR to NL•••• 4300';
    expect(texts([event('payout.requested'), event('payout.changed')], entries)).toEqual([
      'Saved as a draft | Ada',
      'Changed | Ben',
      `Requested | Ben | ${wish}`,
      `Changed | Ada | ${wish}`,
    ]);
  });

  it('knows the people of the payout itself where nothing else tells', () => {
    const events = [event('payout.requested'), event('payout.approved'), event('payout.exported')];
    expect(texts(events).map((text) => text.split(' | ')[1])).toEqual([
      'Ada',
      'Olga, for the platform',
      'The platform',
    ]);
    const scheduled = { ...payout, requestedBy: null, requestedByName: null };
    expect(texts([event('payout.requested')], [], scheduled)[0]).toContain('Schedule');
  });

  it('does not call it an approval when the bank never got the file', () => {
    const events = [
      event('payout.approved'),
      event('payout.exported'),
      event('payout.approved'),
      event('payout.exported'),
      event('payout.failed', { statusReason: 'No such account' }),
    ];
    expect(texts(events)).toEqual([
      'Approved | Olga, for the platform',
      'Added to a bank file | The platform',
      'Bank file not sent: included in the next one | The platform',
      'Added to a bank file | The platform',
      'Not paid by the bank | The platform | No such account',
    ]);
  });
});
