import type {
  NamedPayout,
  PayoutAuditEntry,
} from '../../database/read-models/payout-page.repository.js';
import type { ReadPayoutEvent } from '../../database/payouts/payout.repository.js';
import type { IconName } from './icons.js';
import { moneyText } from './order-text.js';
import { askerOf, maskedIban } from './payout-text.js';
import type { Badge } from './status.js';

/** One entry of the payout timeline. */
export interface PayoutStep {
  readonly at: Date;
  readonly icon: IconName;
  readonly tone: Badge['tone'];
  readonly what: string;
  /** Who did it, or why. */
  readonly details: readonly string[];
}

type Labels = Pick<PayoutStep, 'icon' | 'tone' | 'what'>;

/** Actor of events that are not the merchant's. */
const PLATFORM = 'The platform';

const LABELS: Readonly<Record<ReadPayoutEvent['type'], Labels>> = {
  'payout.requested': { icon: 'payout', tone: 'busy', what: 'Requested' },
  'payout.changed': { icon: 'switch', tone: 'busy', what: 'Changed' },
  'payout.approved': { icon: 'check', tone: 'busy', what: 'Approved' },
  'payout.exported': { icon: 'bank', tone: 'busy', what: 'Added to a bank file' },
  'payout.submitted': { icon: 'bank', tone: 'busy', what: 'Submitted to the bank' },
  'payout.paid': { icon: 'check', tone: 'good', what: 'Paid' },
  'payout.rejected': { icon: 'cross', tone: 'bad', what: 'Rejected' },
  'payout.cancelled': { icon: 'ended', tone: '', what: 'Cancelled' },
  'payout.failed': { icon: 'cross', tone: 'bad', what: 'Not paid by the bank' },
  'payout.returned': { icon: 'warning', tone: 'warn', what: 'Returned by the bank' },
};

const notSent = (next: string): Labels => ({
  icon: 'busy',
  tone: 'warn',
  what: `Bank file not sent: ${next}`,
});
/** Next step after a file was not sent. */
const BACK: Partial<Record<ReadPayoutEvent['type'], Labels>> = {
  'payout.approved': notSent('included in the next one'),
  'payout.requested': notSent('approval required again'),
};

const BY_MERCHANT = new Set(['payout.requested', 'payout.changed', 'payout.cancelled']);

/** Timeline of the payout, oldest first. */
export function payoutTimeline(
  payout: NamedPayout,
  events: readonly ReadPayoutEvent[],
  entries: readonly PayoutAuditEntry[],
): PayoutStep[] {
  const actors = new Actors(payout, entries);
  const steps = events.map((event, i): PayoutStep => {
    const back = events[i - 1]?.type === 'payout.exported' ? BACK[event.type] : undefined;
    return {
      at: event.createdAt,
      ...(back ?? LABELS[event.type]),
      details: [...actors.of(event, back !== undefined), ...detailsOf(event, payout)],
    };
  });
  return [...draftSteps(payout, entries), ...steps].toSorted(
    (one, other) => one.at.getTime() - other.at.getTime(),
  );
}

function detailsOf({ type, data }: ReadPayoutEvent, { currency }: NamedPayout): string[] {
  if (type === 'payout.requested' || type === 'payout.changed') {
    return [wishText(data.amount, currency, data.iban)];
  }
  return data.statusReason ? [data.statusReason] : [];
}

const wishText = (amount: number, currency: string, iban: string): string =>
  `${moneyText(amount, currency)} to ${maskedIban(iban)}`;

/** Draft steps: they have audit entries but no events. */
function draftSteps(payout: NamedPayout, entries: readonly PayoutAuditEntry[]): PayoutStep[] {
  const made = entries.find(({ action }) => action === 'payout.drafted');
  const changes = entries.filter(isDraftChange).map((entry) => ({
    at: entry.createdAt,
    ...LABELS['payout.changed'],
    tone: '' as const,
    details: entry.userName ? [entry.userName] : [],
  }));
  const what = 'Saved as a draft';
  const details = [askerOf(payout, payout.requestedByName)];
  return made ? [{ at: made.createdAt, icon: 'audit', tone: '', what, details }, ...changes] : [];
}

const isDraftChange = ({ action, data }: PayoutAuditEntry): boolean =>
  action === 'payout.changed' && data['status'] === 'draft';

/** Finds the actor of each event: portal audit entries have the same names as the events. */
class Actors {
  private readonly entries: PayoutAuditEntry[];

  constructor(
    private readonly payout: NamedPayout,
    entries: readonly PayoutAuditEntry[],
  ) {
    this.entries = entries.filter((entry) => !isDraftChange(entry));
  }

  of({ type }: ReadPayoutEvent, isBack: boolean): string[] {
    if (isBack) return [PLATFORM];
    const name = this.take(type) ?? this.known(type);
    if (BY_MERCHANT.has(type)) return name === null ? [] : [name];
    return [name === null ? PLATFORM : `${name}, for the platform`];
  }

  /** Audit entries and events of one type have the same order. */
  private take(type: string): string | null {
    const at = this.entries.findIndex(({ action }) => action === type);
    return at < 0 ? null : (this.entries.splice(at, 1)[0]?.userName ?? null);
  }

  private known(type: string): string | null {
    if (type === 'payout.requested') return askerOf(this.payout, this.payout.requestedByName);
    return type === 'payout.approved' ? this.payout.approvedByName : null;
  }
}
