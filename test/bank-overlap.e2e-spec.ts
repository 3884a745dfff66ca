import { describe, expect, it } from '@jest/globals';
import { PossibleDuplicatesService } from '../src/bank/matching/possible-duplicates.service.js';
import {
  camtFile,
  csvProfileOf,
  mt940File,
  type WrittenEntry,
  type WrittenStatement,
} from './support/bank-file.js';
import { askedAbout, brought, linesWith } from './support/brought.js';
import { collectionAccount, OWN_ACCOUNT, told } from './support/bank-lines.js';
import type { OrderJson } from './support/client.js';
import { expectHealthy } from './support/payout-invariants.js';
import { confirmNoTotals } from './support/no-totals.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop();
await confirmNoTotals(app);
await collectionAccount(app);
const dayOff = (days: number): string =>
  new Date(app.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10);
const PAYER = { iban: 'NL91ABNA0417164300' };
const OTHER = { iban: 'DE71110220330123456789' };

let files = 0;
let amounts = 1_000;

/** No other test has such an amount, nor such balances. */
const newAmount = (): number => (amounts += 100);

type Written = Omit<WrittenStatement, 'account' | 'id'>;

const CSV_COLUMNS = csvProfileOf(OWN_ACCOUNT).columns;
const PROFILE = {
  ...csvProfileOf(OWN_ACCOUNT),
  columns: { ...CSV_COLUMNS, balance: 'Balance' },
};

/** With the balance behind each row. */
function csvWithBalances({ entries, day, opening = 0 }: Written): string {
  let balance = opening;
  const decimal = (amount: number): string => (amount / 100).toFixed(2).replace('.', ',');
  const rows = entries.map(({ amount, direction, bookedOn = day, text = '', acctSvcrRef = '' }) => {
    const signed = direction === 'out' ? -amount : amount;
    balance += signed;
    const booked = bookedOn.split('-').toReversed().join('.');
    return `${booked};${booked};${decimal(signed)};EUR;;;;"${text}";;;"${acctSvcrRef}";${decimal(balance)}`;
  });
  const head = `Booked;Valued;Amount;Currency;Name;Account;BIC;Text;Reference;EndToEnd;BankReference;Balance`;
  // Another file has other bytes.
  return `"S${++files}"\n${head}\n${rows.join('\n')}\n`;
}

const full = (statement: Written): WrittenStatement => ({
  account: OWN_ACCOUNT,
  id: `S${++files}`,
  ...statement,
});
const WRITERS = {
  'camt.053': (statement: Written) => camtFile('053', full(statement)),
  MT940: (statement: Written) => mt940File(full(statement)),
  CSV: csvWithBalances,
} as const;
const WITH_NUMBERS = ['camt.053', 'MT940'] as const;
type Format = keyof typeof WRITERS;
const FORMATS = Object.keys(WRITERS) as Format[];

const bring = (...files: readonly (string | Buffer)[]): Promise<void> =>
  brought(app, files, PROFILE);

const notification = (...entries: WrittenEntry[]): string =>
  camtFile('054', full({ day: dayOff(0), entries }));

const linesOf = async (amount: number) =>
  (await linesWith(app, amount)).filter(({ direction }) => direction === 'in');

const askedOf = (amount: number) => askedAbout(app, amount);

/** An order that costs more than one such payment brings: who counts a payment twice pays it. */
async function waiting(amount: number): Promise<{ order: OrderJson; reference: string }> {
  const order = await shop.order({ amount: 2 * amount });
  return { order, reference: await told(app, shop, order) };
}

const receivedFor = async ({ txid }: OrderJson): Promise<unknown> =>
  (await shop.read(txid)).body['amountReceived'];

/**
 * A booking of the day that both have, of which as much goes out again: the second begins where the first ends. Both
 * stand apart, because in MT940 entries side by side that come to nothing prove nothing.
 */
function overlapping(booking: WrittenEntry): readonly [Written, Written] {
  const { amount } = booking;
  const [before, shared, after] = [dayOff(-2), dayOff(-1), dayOff(0)];
  const rent: WrittenEntry = { amount, direction: 'out', text: 'Rent', bookedOn: shared };
  const paid: WrittenEntry = { ...booking, bookedOn: shared };
  const opening = 1_000_000 * amount;
  return [
    {
      from: before,
      day: shared,
      opening,
      entries: [rent, { amount: 7, text: 'first', bookedOn: before }, paid],
    },
    {
      from: shared,
      day: after,
      opening: opening + 7,
      entries: [rent, { amount: 9, text: 'last', bookedOn: after }, paid],
    },
  ];
}

describe('statements that overlap, although one begins where the other one ends', () => {
  const ORDERS = FORMATS.flatMap((format) =>
    [true, false].map((earlierFirst) => ({ format, earlierFirst })),
  );

  it.each(ORDERS)(
    'tell of one booking once: $format, the earlier first: $earlierFirst',
    async ({ format, earlierFirst }) => {
      const amount = newAmount();
      const { order, reference } = await waiting(amount);
      const both = overlapping({ amount, text: reference });
      for (const statement of earlierFirst ? both : both.toReversed())
        await bring(WRITERS[format](statement));
      expect(await receivedFor(order)).toBe(amount);
      expect(await linesOf(amount)).toHaveLength(1);
      await expectHealthy(app);
    },
  );

  const NAMES: readonly (readonly [string, Partial<WrittenEntry>])[] = [
    ['reference of its entry', { acctSvcrRef: 'ENTRY-1' }],
    ['reference of its transaction', { bankReference: 'TX-REF-1' }],
    ['transaction id', { transactionId: 'TX-1' }],
  ];
  const NAMED = NAMES.flatMap(([called, name]) =>
    WITH_NUMBERS.filter((format) => format !== 'MT940' || !name.transactionId).map((format) => ({
      called,
      name,
      format,
    })),
  );

  it.each(NAMED)(
    'pay by it once where their numbers follow each other, too: $called, $format',
    async ({ name, format }) => {
      const amount = newAmount();
      const { order, reference } = await waiting(amount);
      const both = overlapping({ amount, text: reference, ...name });
      for (const [n, statement] of both.entries())
        await bring(WRITERS[format]({ ...statement, sequence: `${12 + n}` }));
      expect(await receivedFor(order)).toBe(amount);
      expect(await askedOf(amount)).toHaveLength(1);
      await expectHealthy(app);
    },
  );
});

describe('statements that follow each other', () => {
  const NUMBERS = [
    ['12', '13'],
    ['12/1', '12/2'],
    ['00012/003', '00013/001'],
  ] as const;
  const RUNNING = WITH_NUMBERS.flatMap((format) =>
    NUMBERS.map((numbers) => ({ format, numbers: numbers as readonly [string, string] })),
  );

  it.each(RUNNING)(
    'on one day, by their numbers, tell of equal bookings: $format, $numbers',
    async ({ format, numbers }) => {
      const amount = newAmount();
      const { order, reference } = await waiting(amount);
      for (const [n, sequence] of numbers.entries()) {
        const opening = 1_000_000 * amount + n * amount;
        const entries = [{ amount, text: reference, payer: PAYER }];
        await bring(WRITERS[format]({ day: dayOff(0), opening, sequence, entries }));
      }
      expect(await receivedFor(order)).toBe(2 * amount);
      expect(await linesOf(amount)).toHaveLength(2);
    },
  );

  const GAPS = FORMATS.flatMap((format) => [1, 3].map((days) => ({ format, days })));

  it.each(GAPS)(
    'by their days tell of equal bookings: $format, $days days later',
    async ({ format, days }) => {
      const amount = newAmount();
      const { order, reference } = await waiting(amount);
      for (const n of [0, 1]) {
        const day = dayOff(n === 0 ? -days : 0);
        const opening = 1_000_000 * amount + n * (amount + 1);
        // Of CSV the first row of a file proves nothing.
        const interest = { amount: 1, text: `Interest ${n}` };
        const entries = [interest, { amount, text: reference, payer: PAYER, e2e: 'RENT' }];
        // MT940 calls the opening balance by the day of the statement before.
        await bring(WRITERS[format]({ day, from: dayOff(-days), opening, entries }));
      }
      expect(await receivedFor(order)).toBe(2 * amount);
      expect(await linesOf(amount)).toHaveLength(2);
    },
  );

  it('with others between them tell of equal bookings', async () => {
    const amount = newAmount();
    const { order, reference } = await waiting(amount);
    const opening = 1_000_000 * amount;
    const equal = { amount, text: reference, payer: PAYER };
    const on = (days: number, begins: number, entry: WrittenEntry) =>
      WRITERS['camt.053']({ day: dayOff(days), opening: begins, entries: [entry] });
    await bring(on(-3, opening, equal));
    await bring(on(-2, opening + amount, { amount: 3, text: 'between' }));
    await bring(on(0, opening + amount + 3, equal));
    expect(await receivedFor(order)).toBe(2 * amount);
  });
});

describe('what one statement announces', () => {
  it('is booked by the one that follows it', async () => {
    const amount = newAmount();
    const { order, reference } = await waiting(amount);
    const opening = 1_000_000 * amount;
    const entry = { amount, text: reference, e2e: `E${amount}` };
    const on = (days: number, begins: number, ...entries: WrittenEntry[]) =>
      WRITERS['camt.053']({ day: dayOff(days), opening: begins, entries });
    await bring(on(-1, opening, { amount: 5, text: 'first' }, { ...entry, status: 'announced' }));
    await bring(on(0, opening + 5, entry));
    expect(await receivedFor(order)).toBe(amount);
    expect(await linesOf(amount)).toMatchObject([{ status: 'booked' }]);
  });
});

describe('one transfer of which all days are others', () => {
  const TELLINGS = [
    [notification, (entry: WrittenEntry) => mt940File(full({ day: dayOff(0), entries: [entry] }))],
    [(entry: WrittenEntry) => mt940File(full({ day: dayOff(0), entries: [entry] })), notification],
    [
      notification,
      (entry: WrittenEntry) => camtFile('053', full({ day: dayOff(0), entries: [entry] })),
    ],
  ] as const;
  const CASES = TELLINGS.flatMap(([first, second]) =>
    [1, 5].map((days) => ({ first, second, days })),
  );

  it.each(CASES)('is asked about by its order and payer: $days days later', async (each) => {
    const { first, second, days } = each;
    const amount = newAmount();
    const { order, reference } = await waiting(amount);
    const entry = { amount, text: reference, payer: PAYER };
    await bring(first({ ...entry, bookedOn: dayOff(-days) }), second(entry));
    expect(await receivedFor(order)).toBe(amount);
    expect(await askedOf(amount)).toHaveLength(1);
    await expectHealthy(app);
  });

  it('is asked about where one format does not tell who paid', async () => {
    const amount = newAmount();
    const { order, reference } = await waiting(amount);
    await bring(
      notification({ amount, text: reference, payer: PAYER, bookedOn: dayOff(-3) }),
      mt940File(full({ day: dayOff(0), entries: [{ amount, text: `Invoice ${reference}` }] })),
    );
    expect(await receivedFor(order)).toBe(amount);
  });

  it('is two where the bank says so, the days are far apart, or one statement tells of both', async () => {
    const payer = PAYER;
    const other = (entry: WrittenEntry) =>
      camtFile('053', full({ day: dayOff(0), entries: [entry] }));
    const pairs: readonly (readonly [
      number,
      Partial<WrittenEntry>,
      Partial<WrittenEntry>,
      typeof other,
    ])[] = [
      [3, { payer }, { payer: OTHER }, other],
      // Another kind of message may have references of its own.
      [3, { payer, acctSvcrRef: 'B1' }, { payer, acctSvcrRef: 'B2' }, notification],
      [6, { payer }, { payer }, other],
    ];
    for (const [days, mine, theirs, write] of pairs) {
      const amount = newAmount();
      const { order, reference } = await waiting(amount);
      const entry = { amount, text: reference };
      await bring(notification({ ...entry, ...mine, bookedOn: dayOff(-days) }));
      await bring(write({ ...entry, ...theirs }));
      expect(await receivedFor(order)).toBe(2 * amount);
    }
    const amount = newAmount();
    const { order, reference } = await waiting(amount);
    const entry = { amount, text: reference, payer };
    await bring(notification({ ...entry, bookedOn: dayOff(-3) }, entry));
    expect(await receivedFor(order)).toBe(2 * amount);
  });

  it('is asked about by what a later file added to it, too', async () => {
    const amount = newAmount();
    const { order, reference } = await waiting(amount);
    const before = { amount, acctSvcrRef: `R${amount}`, bookedOn: dayOff(-3) };
    await bring(notification(before));
    await bring(
      camtFile('053', full({ day: dayOff(-3), entries: [{ ...before, text: reference }] })),
    );
    expect(await receivedFor(order)).toBe(amount);
    await bring(
      mt940File(full({ day: dayOff(0), entries: [{ amount, text: reference, payer: PAYER }] })),
    );
    expect(await receivedFor(order)).toBe(amount);
  });
});

describe('a payer of whom two statements tell', () => {
  const WRONG = { opening: 0, closing: 7 };
  const TOLD: readonly (readonly [string, (entry: WrittenEntry) => string])[] = [
    [
      'announced',
      (entry) =>
        camtFile('052', full({ day: dayOff(0), entries: [{ ...entry, status: 'announced' }] })),
    ],
    ['unproven', (entry) => mt940File(full({ day: dayOff(0), entries: [entry], ...WRONG }))],
  ];
  const said = (amount: number) => ({ amount, e2e: `E${amount}` });

  it.each(TOLD)('is the one of the statement that proves it: %s', async (_, write) => {
    const amount = newAmount();
    const forged = { name: 'Mallory', iban: '12345678' };
    await bring(write({ ...said(amount), payer: forged }));
    expect(await linesOf(amount)).toMatchObject([{ counterpartyName: 'Mallory' }]);
    const payer = { name: 'Ada Payer', ...PAYER };
    await bring(camtFile('053', full({ day: dayOff(0), entries: [{ ...said(amount), payer }] })));
    expect(await linesOf(amount)).toMatchObject([
      {
        counterpartyName: 'Ada Payer',
        counterpartyAccount: PAYER.iban,
        counterpartyAccountType: 'iban',
      },
    ]);
  });

  it.each(TOLD)('is nobody where that one names none: %s', async (_, write) => {
    const amount = newAmount();
    await bring(write({ ...said(amount), payer: { name: 'Mallory', ...OTHER } }));
    await bring(camtFile('053', full({ day: dayOff(0), entries: [said(amount)] })));
    expect(await linesOf(amount)).toMatchObject([
      { counterpartyName: null, counterpartyAccount: null, counterpartyAccountType: null },
    ]);
  });

  it('stays where the bank itself says that both are one', async () => {
    const amount = newAmount();
    const same = { amount, acctSvcrRef: `R${amount}` };
    const announced = { ...same, status: 'announced', payer: { name: 'Ada', ...PAYER } } as const;
    await bring(camtFile('052', full({ day: dayOff(0), entries: [announced] })));
    await bring(camtFile('053', full({ day: dayOff(0), entries: [same] })));
    expect(await linesOf(amount)).toMatchObject([
      { counterpartyName: 'Ada', counterpartyAccount: PAYER.iban },
    ]);
  });

  it('is the one of the line that proves it, too, once a person says that both are one', async () => {
    const amount = newAmount();
    const payers = [{ name: 'Mallory' }, { name: 'Ada Payer', ...PAYER }] as const;
    const entries = payers.map((payer, n) => ({ amount, e2e: `E${n}`, payer }));
    await bring(mt940File(full({ day: dayOff(0), entries: [entries[0]!], ...WRONG })));
    await bring(camtFile('053', full({ day: dayOff(0), entries: [entries[1]!] })));
    const [asked] = await askedOf(amount);
    expect(await app.get(PossibleDuplicatesService).sameBooking('test', asked!.id)).toBe('done');
    const first = (await linesOf(amount)).find(({ id }) => id === asked!.duplicateOf);
    expect(first).toMatchObject({
      counterpartyName: 'Ada Payer',
      counterpartyAccount: PAYER.iban,
    });
  });

  it('makes no second booking where both have the same transaction id', async () => {
    const amount = newAmount();
    const { order, reference } = await waiting(amount);
    const entry = { amount, text: reference, transactionId: `T${amount}` };
    await bring(notification({ ...entry, payer: OTHER }));
    await bring(camtFile('053', full({ day: dayOff(0), entries: [{ ...entry, payer: PAYER }] })));
    expect(await receivedFor(order)).toBe(amount);
    expect(await linesOf(amount)).toHaveLength(1);
  });
});
