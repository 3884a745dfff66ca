import { describe, expect, it } from '@jest/globals';
import type { PayoutStatus } from '../database/payouts/payout.entity.js';
import { BANK, RULES } from '../ledger/rules.js';
import { EVENT_OF, MOVES } from './payout-moves.js';

const STATUSES = Object.keys(MOVES) as PayoutStatus[];
const movesFrom = (status: PayoutStatus): PayoutStatus[] =>
  Object.keys(MOVES[status]) as PayoutStatus[];

/** What the payout's money has become, such as `{ available: -1, payout_pending: 1 }` of it. */
type Accounts = Readonly<Record<string, number>>;

function after(accounts: Accounts, from: PayoutStatus, to: PayoutStatus): Accounts {
  const kind = MOVES[from][to]!;
  if (kind === 'nothing') return accounts;
  const { debit, credit } = RULES[kind];
  const moved: Record<string, number> = { ...accounts };
  moved[debit] = (moved[debit] ?? 0) - 1;
  moved[credit] = (moved[credit] ?? 0) + 1;
  return Object.fromEntries(Object.entries(moved).filter(([, part]) => part !== 0));
}

/** Every way that a payout can go, with what its money is then. */
function ways(): Map<PayoutStatus, Accounts[]> {
  const seen = new Map<PayoutStatus, Accounts[]>();
  const walk = (status: PayoutStatus, accounts: Accounts): void => {
    const known = seen.get(status) ?? [];
    if (known.some((one) => JSON.stringify(one) === JSON.stringify(accounts))) return;
    seen.set(status, [...known, accounts]);
    for (const to of movesFrom(status)) walk(to, after(accounts, status, to));
  };
  walk('draft', {});
  return seen;
}

describe('the ways of a payout', () => {
  const RESERVED = { available: -1, payout_pending: 1 };

  it.each<[PayoutStatus, Accounts]>([
    ['draft', {}],
    ['pending_approval', RESERVED],
    ['approved', RESERVED],
    ['exported', RESERVED],
    ['submitted', RESERVED],
    ['paid', { available: -1, [BANK]: 1 }],
    ['rejected', {}],
    ['cancelled', {}],
    ['failed', {}],
    ['returned', {}],
  ])('have one place for the money of a payout that is %s', (status, accounts) => {
    expect(ways().get(status)).toEqual([accounts]);
  });

  it('reach every status', () => {
    expect([...ways().keys()].toSorted()).toEqual(STATUSES.toSorted());
  });

  it('go to the bank only from an approval', () => {
    const before = (to: PayoutStatus) => STATUSES.filter((from) => MOVES[from][to]);
    expect(before('exported')).toEqual(['approved']);
    expect(before('submitted')).toEqual(['exported']);
    expect(before('paid')).toEqual(['submitted']);
    expect(before('approved')).toEqual(['pending_approval', 'exported']);
  });

  it('cannot be left by a merchant once a bank may have the file', () => {
    for (const status of ['exported', 'submitted', 'paid'] as const) {
      expect(movesFrom(status)).not.toContain('cancelled');
      expect(movesFrom(status)).not.toContain('rejected');
    }
  });

  it('tell of every status but the first, each with an event of its own', () => {
    const told = STATUSES.map((status) => EVENT_OF[status]).filter((event) => event !== null);
    expect(new Set(told).size).toBe(STATUSES.length - 1);
    expect(EVENT_OF.draft).toBeNull();
  });

  it('are under way until the money has arrived or is given back', () => {
    const isUnderWay = (status: PayoutStatus) => status !== 'paid' && movesFrom(status).length > 0;
    expect(STATUSES.filter(isUnderWay)).toEqual([
      'draft',
      'pending_approval',
      'approved',
      'exported',
      'submitted',
    ]);
  });
});
