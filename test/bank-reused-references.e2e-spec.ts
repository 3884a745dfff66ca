import { beforeEach, describe, expect, it } from '@jest/globals';
import { accountFiles } from './support/account-files.js';
import type { WrittenEntry } from './support/bank-file.js';
import { askedAbout, brought, linesWith } from './support/brought.js';
import { collectionAccount, told } from './support/bank-lines.js';
import { expectHealthy } from './support/payout-invariants.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop();
await collectionAccount(app);
const { dayOff, newAmount, camt } = accountFiles(app);
const PAYER = { name: 'Paula', iban: 'NL91ABNA0417164300' };
const KINDS = ['052', '053', '054'] as const;

interface Booking extends Partial<WrittenEntry> {
  /** Days from today. */
  readonly day: number;
  /** Whether its value day is the day after. */
  readonly isValuedLater?: boolean;
}

/** Two bookings of an order that both fit into it, as two files of one kind report them. */
async function reported(kind: (typeof KINDS)[number], one: Booking, other: Booking) {
  const amount = newAmount();
  const order = await shop.order({ amount: 2 * amount });
  const text = await told(app, shop, order);
  const unique = ({ transactionId, acctSvcrRef, ...entry }: Booking): Booking => ({
    ...entry,
    ...(transactionId && { transactionId: `${transactionId}-${amount}` }),
    ...(acctSvcrRef && { acctSvcrRef: transactionId ? `${acctSvcrRef}-${amount}` : acctSvcrRef }),
  });
  for (const { day, isValuedLater, ...entry } of [one, other].map(unique))
    await brought(app, [
      camt(kind)({
        amount,
        text,
        payer: PAYER,
        bookedOn: dayOff(day),
        valuedOn: dayOff(isValuedLater ? day + 1 : day),
        ...entry,
      }),
    ]);
  const { amountReceived } = (await shop.read(order.txid)).body;
  const lines = await linesWith(app, amount);
  const asked = await askedAbout(app, amount);
  return { lines: lines.length, asked: asked.length, paid: amountReceived / amount };
}

// Files of another format that report the same days would raise other questions.
beforeEach(() => app.clock.advance(40 * 86_400_000));

describe('two bookings of which one kind of message', () => {
  const unnamed = { name: 'Paul' };
  const CASES: Readonly<Record<string, readonly [Booking, Booking]>> = {
    'reuses the bank’s reference on another day': [
      { day: -3, acctSvcrRef: '000001' },
      { day: -1, acctSvcrRef: '000001' },
    ],
    'repeats an end-to-end id on the day after': [
      { day: -2, isValuedLater: true, e2e: 'ABO' },
      { day: -1, e2e: 'ABO' },
    ],
    'repeats the ids of the bank on another day': [
      { day: -3, acctSvcrRef: 'R1', transactionId: 'T1' },
      { day: -1, acctSvcrRef: 'R1', transactionId: 'T1' },
    ],
    'has two references that begin alike': [
      { day: -1, acctSvcrRef: '2026010100000001' },
      { day: -1, acctSvcrRef: '20260101000000010002' },
    ],
    'names two payers without accounts': [
      { day: -1, payer: { name: 'Paula' } },
      { day: -1, payer: unnamed },
    ],
  };
  for (const kind of KINDS)
    it.each(Object.entries(CASES))(
      `are not taken for one: camt.${kind} %s`,
      async (_, [one, other]) => {
        expect(await reported(kind, one, other)).toMatchObject({ lines: 2, asked: 1 });
      },
    );

  it.each(['052', '054'] as const)(
    'does not list a day: equal ones without a reference are not taken for one: camt.%s',
    async (kind) => {
      const one = { day: -1, e2e: 'ABO' };
      expect(await reported(kind, one, one)).toEqual({ lines: 2, asked: 1, paid: 1 });
    },
  );

  it('lists a day: a later statement of it repeats them, and the account is consistent', async () => {
    const one = { day: -1, e2e: 'ABO' };
    expect(await reported('053', one, one)).toEqual({ lines: 1, asked: 0, paid: 1 });
    await expectHealthy(app);
  });
});
