import { describe, expect, it } from '@jest/globals';
import type { CsvProfile } from '../src/bank-statements/csv/csv-profile.js';
import { ManualReconciliation } from '../src/bank/matching/manual-reconciliation.service.js';
import { MatcherService } from '../src/bank/matching/matcher.service.js';
import { PossibleDuplicatesService } from '../src/bank/matching/possible-duplicates.service.js';
import { accountFiles } from './support/account-files.js';
import { csvFile, csvProfileOf, type WrittenEntry } from './support/bank-file.js';
import { askedAbout, brought, linesWith } from './support/brought.js';
import { collectionAccount, OWN_ACCOUNT, told } from './support/bank-lines.js';
import { confirmNoTotals } from './support/no-totals.js';
import { expectHealthy } from './support/payout-invariants.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop();
await collectionAccount(app);
await confirmNoTotals(app);
const { dayOff, newAmount, statement, camt } = accountFiles(app);
const PAYER = { name: 'Mallory', iban: 'NL91ABNA0417164300' };

type Message = '052' | '053' | '054';
interface Days {
  readonly bookedOn: string;
  readonly valuedOn: string;
}
const days = (booked: number, valued = booked): Days => ({
  bookedOn: dayOff(booked),
  valuedOn: dayOff(valued),
});

let uetrs = 0;
const newUetr = (): string => `11111111-1111-4111-8111-${String(++uetrs).padStart(12, '0')}`;
const withUetr = (xml: string, uetr: string): string =>
  xml.replaceAll('<Refs>', `<Refs><UETR>${uetr}</UETR>`);

/** An order of twice the amount, and an entry that pays half of it. */
async function half() {
  const amount = newAmount();
  const order = await shop.order({ amount: 2 * amount });
  const text = await told(app, shop, order);
  const read = async () => (await shop.read(order.txid)).body;
  const entry: WrittenEntry = { amount, payer: PAYER, text };
  return { amount, entry, read };
}

describe('a booking that the bank names as one by its own id', () => {
  const MESSAGES: readonly (readonly [Message, Message])[] = [
    ['054', '053'],
    ['052', '053'],
    ['052', '052'],
    ['053', '053'],
    ['053', '054'],
  ];
  const MOVES: readonly (readonly [string, Days, Days])[] = [
    ['7 days later', days(-8), days(-1)],
    ['13 days later, of one day of value', days(-14), days(-1, -14)],
    ['19 days later, of one day of value', days(-20), days(-1, -20)],
    ['half a year later', days(-180), days(-1)],
  ];
  const cases = MESSAGES.flatMap(([first, then]) =>
    MOVES.map(([when, before, after]) => [first, then, when, before, after] as const),
  );

  it.each(cases)('pays once: camt.%s, then camt.%s %s', async (first, then, _, before, after) => {
    const { amount, entry, read } = await half();
    const uetr = newUetr();
    const written = { ...entry, transactionId: `T${uetr}` };
    await brought(app, [
      withUetr(camt(first)({ ...written, ...before }), uetr),
      withUetr(camt(then)({ ...written, ...after }), uetr),
    ]);
    expect(await read()).toMatchObject({ status: 'open', amountReceived: amount });
    expect(await askedAbout(app, amount)).toHaveLength(1);
  });

  it.each(MESSAGES)(
    'pays once when its amount is corrected: camt.%s, then camt.%s',
    async (first, then) => {
      const { amount, entry, read } = await half();
      const uetr = newUetr();
      const corrected = { ...entry, amount: amount - 5 };
      await brought(app, [
        withUetr(camt(first)(entry), uetr),
        withUetr(camt(then)(corrected), uetr),
      ]);
      expect(await read()).toMatchObject({ amountReceived: amount });
      expect(await askedAbout(app, amount - 5)).toHaveLength(1);
    },
  );

  it('pays once when a transaction id and the end-to-end id name a corrected amount', async () => {
    const { amount, entry, read } = await half();
    const named = { ...entry, transactionId: `T${amount}`, e2e: `E${amount}` };
    await brought(app, [camt('054')(named), camt('053')({ ...named, amount: amount - 5 })]);
    expect(await read()).toMatchObject({ amountReceived: amount });
    expect(await askedAbout(app, amount - 5)).toHaveLength(1);
  });

  it('counts twice where only a short transaction id is the same', async () => {
    const { amount, entry, read } = await half();
    const numbered = { ...entry, transactionId: '1' };
    await brought(app, [
      camt('053')({ ...numbered, e2e: 'E1', acctSvcrRef: `A${amount}`, ...days(-30) }),
      camt('053')({ amount: amount + 1, payer: PAYER, text: 'x', transactionId: '1' }),
    ]);
    expect(await read()).toMatchObject({ amountReceived: amount });
    expect(await askedAbout(app, amount + 1)).toHaveLength(0);
  });

  it('counts twice in one proven statement', async () => {
    const { amount, entry, read } = await half();
    await brought(app, [withUetr(camt('053')(entry, { ...entry, e2e: 'second' }), newUetr())]);
    expect(await read()).toMatchObject({ status: 'paid', amountReceived: 2 * amount });
  });

  it('pays once half a year later by the bank’s reference and the end-to-end id', async () => {
    const { amount, entry, read } = await half();
    const named = { ...entry, acctSvcrRef: `A${amount}`, e2e: `E${amount}` };
    await brought(app, [
      camt('053')({ ...named, ...days(-180) }),
      camt('053')({ ...named, ...days(-1) }),
    ]);
    expect(await read()).toMatchObject({ amountReceived: amount });
    expect(await askedAbout(app, amount)).toHaveLength(1);
  });

  it.each(MESSAGES)(
    'pays once with another account of the payer: camt.%s, then camt.%s',
    async (first, then) => {
      const { amount, entry, read } = await half();
      const named = { ...entry, acctSvcrRef: `A${amount}`, e2e: `E${amount}` };
      const virtual = { name: 'Mallory', iban: 'BE68539007547034' };
      await brought(app, [camt(first)(named), camt(then)({ ...named, payer: virtual })]);
      expect(await read()).toMatchObject({ amountReceived: amount });
      expect(await askedAbout(app, amount)).toHaveLength(1);
    },
  );

  it('is asked about when a later file adds the id to a line that waits', async () => {
    const { amount, entry, read } = await half();
    const uetr = newUetr();
    const earlier = { ...entry, acctSvcrRef: `A${amount}`, e2e: `E${amount}`, ...days(-20) };
    const withoutBalances = camt('053')(earlier).replaceAll(/<Bal>[^]*?<\/Bal>/g, '');
    await brought(app, [
      withoutBalances,
      withUetr(camt('054')({ ...entry, acctSvcrRef: `B${amount}`, ...days(-1) }), uetr),
    ]);
    expect(await read()).toMatchObject({ amountReceived: amount });
    await brought(app, [withUetr(camt('053')(earlier), uetr)]);
    expect(await read()).toMatchObject({ amountReceived: amount });
    expect(await askedAbout(app, amount)).toHaveLength(1);
  });

  it('of another amount is ignored when an operator calls it the same, and can be reopened', async () => {
    const { amount, entry, read } = await half();
    const uetr = newUetr();
    await brought(app, [
      withUetr(camt('054')(entry), uetr),
      withUetr(camt('053')({ ...entry, amount: amount - 5 }), uetr),
    ]);
    const [line] = await linesWith(app, amount - 5);
    expect(await app.get(PossibleDuplicatesService).sameBooking('test', line!.id)).toBe('done');
    expect(await linesWith(app, amount - 5)).toMatchObject([{ state: 'ignored' }]);
    expect(await read()).toMatchObject({ amountReceived: amount });
    await expectHealthy(app);
    expect(await app.get(ManualReconciliation).reopen('test', line!.id)).toBe('done');
    await app.get(MatcherService).matchNew();
    expect(await read()).toMatchObject({ amountReceived: amount });
    expect(await linesWith(app, amount - 5)).toMatchObject([{ duplicateOf: expect.any(String) }]);
    await expectHealthy(app);
  });
});

describe('the same bytes of CSV, read by another profile', () => {
  const OTHER = 'DE02120300000000202051';
  const profile = csvProfileOf(OWN_ACCOUNT);
  const { columns } = profile;
  const exchanged = { ...columns, bookedOn: columns.valuedOn!, valuedOn: columns.bookedOn };

  it.each([
    ['days', { ...profile, date: 'MM.DD.YYYY' }],
    ['columns of days', { ...profile, columns: exchanged }],
    ['account', csvProfileOf(OTHER)],
  ])('pay nothing by themselves: another order of %s', async (_, first) => {
    if (first.ownAccount === OTHER) await collectionAccount(app, OTHER);
    const { amount, entry, read } = await half();
    const day = { bookedOn: '2025-11-12', valuedOn: '2025-10-11' };
    const written = statement(
      { amount: 3, text: 'a', ...day },
      { ...entry, ...day },
      { amount: 5, text: 'b', ...day },
    );
    const file = csvFile({ ...written, day: '2025-11-12' });
    await brought(app, [file], first as CsvProfile);
    expect(await read()).toMatchObject({ amountReceived: amount });
    await brought(app, [file], profile);
    expect(await read()).toMatchObject({ amountReceived: amount });
    expect(await linesWith(app, amount)).toContainEqual(
      expect.objectContaining({ state: 'suggested', reason: 'read_before' }),
    );
  });
});

describe('a booking in the future', () => {
  it.each([
    [1, true, null],
    [3, false, 'booked_in_future'],
  ])(
    'in %i days pays nothing by itself, unless it is tomorrow',
    async (ahead, isPaid, unproven) => {
      const { amount, entry, read } = await half();
      await brought(app, [camt('053')({ ...entry, ...days(ahead) })]);
      expect(await read()).toMatchObject({ amountReceived: isPaid ? amount : 0 });
      expect(await linesWith(app, amount)).toMatchObject([{ unproven }]);
    },
  );
});

describe('a return that is told once more after a week', () => {
  it('takes nothing from another payment of the order', async () => {
    const { amount, entry, read } = await half();
    const part = (n: number) => ({
      ...entry,
      e2e: `E${n}${amount}`,
      acctSvcrRef: `B${n}${amount}`,
    });
    await brought(app, [camt('053')({ ...part(1), ...days(-20) }, { ...part(2), ...days(-20) })]);
    const back = { ...entry, e2e: `E1${amount}`, direction: 'out', returned: true } as const;
    await brought(app, [
      camt('054')({ ...back, acctSvcrRef: `R${amount}`, ...days(-9) }),
      camt('053')({ ...back, acctSvcrRef: `S${amount}`, ...days(-1) }),
    ]);
    expect(await read()).toMatchObject({ amountReceived: amount });
  });
});
