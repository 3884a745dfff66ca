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
      'No payment has been started. The payer can pay 300.00 EUR until 21 Nov 2026, 14:20.',
    ],
    [{}, 'The last payment attempt failed. The payer can pay 300.00 EUR until 21 Nov 2026, 14:20.'],
    [
      { exception: 'underpaid', amountReceived: 25_000 },
      'Paid 250.00 of 300.00 EUR so far. The payer can pay the remaining 50.00 EUR until 21 Nov 2026, 14:20.',
    ],
    [
      { exception: 'wrong_currency' },
      'The last payment attempt failed. A payment in another currency was received: send it back. The payer can pay 300.00 EUR until 21 Nov 2026, 14:20.',
    ],
    [
      { status: 'processing', statusReason: 'awaiting_provider' },
      'The payer is at the provider. The order is updated automatically when the provider responds.',
    ],
    [
      { status: 'processing', statusReason: 'awaiting_transfer' },
      'The payer chose bank transfer. The order is updated automatically when a bank statement shows the payment.',
    ],
    [
      { status: 'processing', statusReason: 'outcome_unknown' },
      'The provider has not reported whether the payer paid. The service keeps asking the provider. Do not let the payer pay again in the meantime.',
    ],
    [paid, 'Paid in full: 300.00 of 300.00 EUR. Nothing more to do.'],
    [
      { ...paid, amountRefunded: 1_000 },
      'Paid in full: 300.00 of 300.00 EUR. 10.00 EUR was refunded. Nothing more to do.',
    ],
    [
      { ...paid, statusReason: 'overpaid', exception: 'overpaid', amountReceived: 35_000 },
      'Overpaid: 350.00 EUR for an order of 300.00 EUR. Refund 50.00 EUR to the payer.',
    ],
    [
      { ...paid, exception: 'duplicate_payment', amountReceived: 60_000 },
      'Paid more than once: 600.00 EUR for an order of 300.00 EUR. Refund 300.00 EUR to the payer.',
    ],
    [
      { ...paid, statusReason: 'manual', exception: 'paid_late', amountReceived: 30_000 },
      'Accepted as paid manually: 300.00 of 300.00 EUR received. Nothing more to do.',
    ],
    [
      { status: 'failed', statusReason: 'insufficient_funds' },
      'All payment attempts failed (last reason: insufficient funds). Nothing more to do; create a new order if the payer still wants to pay.',
    ],
    [
      { status: 'cancelled', statusReason: 'by_merchant' },
      'You cancelled the order. Nothing more to do; create a new order if the payer still wants to pay.',
    ],
    [
      {
        status: 'cancelled',
        statusReason: 'by_payer',
        exception: 'paid_late',
        amountReceived: 30_000,
      },
      'The payer cancelled the order, then 300.00 of 300.00 EUR was received. Next step: refund the payer, or deliver the goods.',
    ],
    [
      expired,
      'The order expired. Nothing more to do; create a new order if the payer still wants to pay.',
    ],
    [
      {
        status: 'expired',
        statusReason: 'partially_paid',
        exception: 'underpaid',
        amountReceived: 25_000,
      },
      'Paid 250.00 of 300.00 EUR, then the order expired. Next step: refund the payer or request the missing 50.00 EUR.',
    ],
    [
      { ...expired, exception: 'paid_late', amountReceived: 35_000 },
      'The order expired, then 350.00 of 300.00 EUR was received. Next step: refund the payer, or deliver the goods and refund 50.00 EUR.',
    ],
    [
      { ...expired, exception: 'paid_late', amountReceived: 30_000, amountRefunded: 30_000 },
      'The order expired, then 300.00 of 300.00 EUR was received. Fully refunded. Nothing more to do.',
    ],
    [
      { ...expired, exception: 'wrong_currency' },
      'The order expired. A payment in another currency was received: send it back. Nothing more to do; create a new order if the payer still wants to pay.',
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
