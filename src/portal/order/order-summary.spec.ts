import { describe, expect, it } from '@jest/globals';
import {
  ORDER_EXCEPTIONS,
  ORDER_STATUSES,
  type OrderStatus,
} from '../../database/orders/order.entity.js';
import { TRANSITIONS } from '../../status/transitions.js';
import { orderSummary, type SummarisedOrder } from './order-summary.js';

const DEADLINE = '21 Nov 2026, 14:20';

const order = (changes: Partial<SummarisedOrder>): SummarisedOrder => ({
  status: 'open',
  statusReason: null,
  exception: 'none',
  amount: 30_000,
  amountReceived: 0,
  amountRefunded: 0,
  currency: 'EUR',
  attempts: 1,
  ...changes,
});

const paid = { status: 'paid', statusReason: 'exact', amountReceived: 30_000 } as const;
const expired = { status: 'expired', statusReason: 'not_paid' } as const;

/** Every reason that may stand beside the status. */
const reasonsOf = (status: OrderStatus): (string | null)[] => [
  ...new Set([
    null,
    ...Object.values(TRANSITIONS).flatMap((to) => to[status] ?? []),
    ...(status === 'failed' ? ['insufficient_funds'] : []),
  ]),
];

const ALL = ORDER_STATUSES.flatMap((status) =>
  reasonsOf(status).flatMap((statusReason) =>
    ORDER_EXCEPTIONS.flatMap((exception) =>
      [0, 25_000, 30_000, 35_000].flatMap((amountReceived) =>
        [0, Math.min(1_000, amountReceived), amountReceived].map((amountRefunded) =>
          order({ status, statusReason, exception, amountReceived, amountRefunded }),
        ),
      ),
    ),
  ),
);

describe(orderSummary.name, () => {
  it.each<[Partial<SummarisedOrder>, string]>([
    [
      { attempts: 0 },
      'Nobody has started to pay. The payer can pay 300.00 EUR until 21 Nov 2026, 14:20.',
    ],
    [
      {},
      'The last attempt to pay did not work. The payer can pay 300.00 EUR until 21 Nov 2026, 14:20.',
    ],
    [
      { exception: 'underpaid', amountReceived: 25_000 },
      'Paid 250.00 of 300.00 EUR so far. The payer can pay the remaining 50.00 EUR until 21 Nov 2026, 14:20.',
    ],
    [
      { exception: 'wrong_currency' },
      'The last attempt to pay did not work. Money arrived in another currency: send it back. The payer can pay 300.00 EUR until 21 Nov 2026, 14:20.',
    ],
    [
      { status: 'processing', statusReason: 'awaiting_provider' },
      'The payer is at the provider. The order goes on by itself once the provider answers.',
    ],
    [
      { status: 'processing', statusReason: 'awaiting_transfer' },
      'The payer has chosen to transfer the money. The order goes on by itself once a bank statement has the money.',
    ],
    [
      { status: 'processing', statusReason: 'outcome_unknown' },
      'The provider has not said whether the payer paid. It is asked again until it answers; do not let the payer pay a second time meanwhile.',
    ],
    [paid, 'Paid in full: 300.00 of 300.00 EUR. Nothing more is expected.'],
    [
      { ...paid, amountRefunded: 1_000 },
      'Paid in full: 300.00 of 300.00 EUR. 10.00 EUR was refunded. Nothing more is expected.',
    ],
    [
      { ...paid, statusReason: 'overpaid', exception: 'overpaid', amountReceived: 35_000 },
      'Paid too much: 350.00 EUR for an order of 300.00 EUR. Refund 50.00 EUR to the payer.',
    ],
    [
      { ...paid, exception: 'duplicate_payment', amountReceived: 60_000 },
      'Paid more than once: 600.00 EUR for an order of 300.00 EUR. Refund 300.00 EUR to the payer.',
    ],
    [
      { ...paid, statusReason: 'manual', exception: 'paid_late', amountReceived: 30_000 },
      'Accepted as paid by a person: 300.00 of 300.00 EUR arrived. Nothing more is expected.',
    ],
    [
      { status: 'failed', statusReason: 'insufficient_funds' },
      'Every attempt to pay failed (the last one: insufficient funds). Nothing more is expected; if the payer still wants to pay, make a new order.',
    ],
    [
      { status: 'cancelled', statusReason: 'by_merchant' },
      'It was cancelled by you. Nothing more is expected; if the payer still wants to pay, make a new order.',
    ],
    [
      {
        status: 'cancelled',
        statusReason: 'by_payer',
        exception: 'paid_late',
        amountReceived: 30_000,
      },
      'The payer cancelled it, then 300.00 of 300.00 EUR arrived. Nothing more is expected; refund the payer, or deliver.',
    ],
    [
      expired,
      'Its time ran out. Nothing more is expected; if the payer still wants to pay, make a new order.',
    ],
    [
      {
        status: 'expired',
        statusReason: 'partially_paid',
        exception: 'underpaid',
        amountReceived: 25_000,
      },
      'Paid 250.00 of 300.00 EUR, then its time ran out. Nothing more is expected; refund the payer or ask for 50.00 EUR.',
    ],
    [
      { ...expired, exception: 'paid_late', amountReceived: 35_000 },
      'Its time ran out, then 350.00 of 300.00 EUR arrived. Nothing more is expected; refund the payer, or deliver and return 50.00 EUR.',
    ],
    [
      { ...expired, exception: 'paid_late', amountReceived: 30_000, amountRefunded: 30_000 },
      'Its time ran out, then 300.00 of 300.00 EUR arrived. All of it was refunded. Nothing more is expected.',
    ],
    [
      { ...expired, exception: 'wrong_currency' },
      'Its time ran out. Money arrived in another currency: send it back. Nothing more is expected; if the payer still wants to pay, make a new order.',
    ],
  ])('%j', (changes, summary) => {
    expect(orderSummary(order(changes), DEADLINE)).toBe(summary);
  });

  it('has whole sentences for everything that an order can be', () => {
    for (const each of ALL) {
      const summary = orderSummary(each, DEADLINE);
      expect(summary).toMatch(/^[A-Z][^_]+\.$/);
      expect(summary).not.toMatch(/undefined|null|NaN|\.\.|-\d| {2}/);
      expect(summary.length).toBeLessThan(240);
    }
  });

  it('tells the money that is owed to the payer, and never more than arrived', () => {
    const owing = ALL.filter((each) => each.status === 'paid').filter(
      ({ amount, amountReceived, amountRefunded }) => amountReceived - amount > amountRefunded,
    );
    for (const each of owing) expect(orderSummary(each, DEADLINE)).toMatch(/Refund \d/);
    for (const each of ALL.filter(({ amountReceived }) => amountReceived === 0)) {
      expect(orderSummary(each, DEADLINE)).not.toMatch(/[Rr]efund/);
    }
  });

  it('asks for money in another currency to be sent back, wherever the order stands', () => {
    for (const each of ALL) {
      const asks = orderSummary(each, DEADLINE).includes('send it back');
      expect(asks).toBe(each.exception === 'wrong_currency');
    }
  });
});
