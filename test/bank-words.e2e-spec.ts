import { describe, expect, it } from '@jest/globals';
import {
  camtFile,
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
const DAY = dayOff(0);
const POOLED = { iban: 'NL91ABNA0417164300' };

let files = 0;
let amounts = 1_000;

/** No other test has such an amount. */
const newAmount = (): number => (amounts += 100);

const bring = (...files: readonly (string | Buffer)[]): Promise<void> => brought(app, files);

const statement = (...entries: WrittenEntry[]): WrittenStatement => ({
  account: OWN_ACCOUNT,
  day: DAY,
  id: `S${++files}`,
  entries,
});
const camt = (message: '052' | '053' | '054', ...entries: WrittenEntry[]): string =>
  camtFile(message, statement(...entries));
const mt940 = (...entries: WrittenEntry[]): string => mt940File(statement(...entries));

const linesOf = (amount: number) => linesWith(app, amount);

const askedOf = (amount: number) => askedAbout(app, amount);

/** An order that costs more than one such payment brings: who counts a payment twice pays it. */
async function waiting(amount: number): Promise<{ order: OrderJson; reference: string }> {
  const order = await shop.order({ amount: 2 * amount });
  return { order, reference: await told(app, shop, order) };
}

const receivedFor = async ({ txid }: OrderJson): Promise<unknown> =>
  (await shop.read(txid)).body['amountReceived'];

describe('a reference of MT940, which a payer may have written', () => {
  const forged = (entry: WrittenEntry) => mt940(entry).replace('NTRFNONREF', 'NTRFNONREF//XY12');
  const TELLINGS = [
    (entry: WrittenEntry) => [camt('053', { ...entry, acctSvcrRef: 'REALREF1' }), forged(entry)],
    (entry: WrittenEntry) => [forged(entry), camt('053', { ...entry, acctSvcrRef: 'REALREF1' })],
    (entry: WrittenEntry) => [camt('053', { ...entry, bankReference: 'REALREF1' }), forged(entry)],
    (entry: WrittenEntry) => [forged(entry), mt940(entry).replace('NTRFNONREF', 'NTRFNONREF//B1')],
  ];

  it.each(TELLINGS)('makes no second booking (%#)', async (write) => {
    const amount = newAmount();
    const { order, reference } = await waiting(amount);
    await bring(...write({ amount, e2e: 'NONREF//XY12', text: reference }));
    expect(await receivedFor(order)).toBe(amount);
    expect(await askedOf(amount)).toHaveLength(1);
    await expectHealthy(app);
  });

  it('joins what it is in common with, where both name the order', async () => {
    const amount = newAmount();
    const { order, reference } = await waiting(amount);
    const entry = { amount, acctSvcrRef: `R${amount}`, text: reference };
    await bring(mt940(entry), camt('053', entry));
    await bring(camt('054', { ...entry, bookedOn: dayOff(-2) }));
    expect(await linesOf(amount)).toHaveLength(1);
    expect(await receivedFor(order)).toBe(amount);
  });

  it('joins nothing that names no order', async () => {
    const amount = newAmount();
    const { order, reference } = await waiting(amount);
    const entry = { amount, acctSvcrRef: `R${amount}` };
    await bring(mt940({ ...entry, text: reference }), camt('053', entry));
    expect(await askedOf(amount)).toHaveLength(1);
    expect(await receivedFor(order)).toBe(amount);
  });

  it('is the bank’s once XML has it, and then tells bookings apart', async () => {
    const amount = newAmount();
    const { order, reference } = await waiting(amount);
    const entry = { amount, acctSvcrRef: `R${amount}`, text: reference };
    await bring(mt940(entry), camt('053', entry));
    await bring(camt('053', { ...entry, acctSvcrRef: `S${amount}` }));
    expect(await receivedFor(order)).toBe(2 * amount);
  });
});

describe('payers of one account, such as that of a payment service', () => {
  const WRITERS = { 'camt.053': (...all: WrittenEntry[]) => camt('053', ...all), MT940: mt940 };
  const ORDERS = Object.keys(WRITERS).flatMap((format) =>
    [true, false].map((strangerFirst) => ({ format, strangerFirst })),
  );

  it.each(ORDERS)('are not taken for each other: $format, $strangerFirst', async (each) => {
    const amount = newAmount();
    const { order, reference } = await waiting(amount);
    const payer = { amount, text: reference, payer: POOLED };
    const stranger = { amount, text: 'invoice 4711', payer: POOLED };
    await bring(camt('054', payer));
    const both = each.strangerFirst ? [stranger, payer] : [payer, stranger];
    await bring(WRITERS[each.format as 'MT940'](...both));
    expect(await receivedFor(order)).toBe(amount);
    const lines = await linesOf(amount);
    expect(lines.map(({ text }) => text).toSorted()).toEqual(
      [reference, 'invoice 4711'].toSorted(),
    );
    await expectHealthy(app);
  });

  it('are not either where they write the same, and only one names an order', async () => {
    const amount = newAmount();
    const { order, reference } = await waiting(amount);
    const payer = { amount, text: 'Rent', reference, payer: POOLED };
    await bring(camt('054', payer));
    await bring(camt('053', { amount, text: 'Rent', payer: POOLED }, payer));
    expect(await linesOf(amount)).toHaveLength(2);
    expect(await receivedFor(order)).toBe(amount);
  });

  it('are asked about where a file tells of one of them alone', async () => {
    const amount = newAmount();
    const { reference } = await waiting(amount);
    await bring(camt('054', { amount, text: reference, payer: POOLED }));
    await bring(camt('053', { amount, text: 'invoice 4711', payer: POOLED }));
    expect(await askedOf(amount)).toMatchObject([{ text: 'invoice 4711' }]);
  });
});

describe('a line that a payer has forged', () => {
  const short = DAY.slice(2).replaceAll('-', '');
  const money = (amount: number): string => (amount / 100).toFixed(2).replace('.', ',');

  /** The payer's text, as a bank wraps it, begins lines with the marks of entries. */
  const forgedIn = (details: string, amount: number): string =>
    [
      `:61:${short}C7,00NTRFNONREF`,
      `:86:${'SEPA GUTSCHRIFT HELLO '.padEnd(65, 'x')}`,
      `:61:${short}C${money(amount)}NTRFNONREF//`.padEnd(65, 'A'),
      `:86:${details}`,
    ].join('\n');
  const mt942Of = (details: string, amount: number): string =>
    `:20:F${++files}\n:25:${OWN_ACCOUNT}\n:28C:1/1\n:34F:EUR0,\n:13D:${short}1200+0100\n${forgedIn(details, amount)}\n-\n`;
  const mt940Of = (details: string, amount: number): string =>
    `:20:F${++files}\n:25:${OWN_ACCOUNT}\n:28C:1/1\n:60F:C${short}EUR0,\n${forgedIn(details, amount)}\n:62F:C${short}EUR7,\n-\n`;

  const FORGED: readonly (readonly [string, typeof mt940Of])[] = [
    ['MT942', mt942Of],
    ['MT940', mt940Of],
  ];
  const VICTIMS: readonly (readonly [string, string, Partial<WrittenEntry>])[] = [
    ['the account', `?31${POOLED.iban}`, { text: 'Invoice 77', payer: POOLED }],
    ['the end-to-end id', `?21EREF+V77`, { text: 'Invoice 77', e2e: 'V77' }],
  ];
  const CASES = FORGED.flatMap(([format, write]) =>
    VICTIMS.map(([by, mark, said]) => ({ format, write, by, mark, said })),
  );

  it.each(CASES)(
    'is not proven by the payment of another one: $format, $by',
    async ({ write, mark, said }) => {
      const amount = newAmount();
      const { order, reference } = await waiting(amount);
      const details = mark.startsWith('?21')
        ? `166?00GUT?20EREF+V77?21SVWZ+${reference}`
        : `166?00GUT?20${reference}${mark}`;
      await bring(write(details, amount));
      await bring(camt('053', { amount, ...said }));
      expect(await receivedFor(order)).toBe(0);
      const texts = (await linesOf(amount)).map(({ text }) => text);
      expect(texts).toContain('Invoice 77');
      await expectHealthy(app);
    },
  );

  it.each(FORGED)('fills nothing of what is proven: %s', async (_, write) => {
    const amount = newAmount();
    const { order, reference } = await waiting(amount);
    await bring(camt('053', { amount, e2e: 'V77' }));
    await bring(write(`166?00GUT?20EREF+V77?21SVWZ+${reference}`, amount));
    expect(await receivedFor(order)).toBe(0);
    expect(await linesOf(amount)).toContainEqual(
      expect.objectContaining({ unproven: null, text: null, references: [] }),
    );
  });
});

describe('what a statement proves or books', () => {
  const WRONG = { opening: 0, closing: 7 };
  const TOLD: readonly (readonly [string, (entry: WrittenEntry) => string])[] = [
    ['announced', (entry) => camt('052', { ...entry, status: 'announced' })],
    ['unproven', (entry) => camtFile('053', { ...statement(entry), ...WRONG })],
  ];

  it.each(TOLD)('has the words of that statement: %s', async (_, write) => {
    const amount = newAmount();
    const [one, other] = [await waiting(amount), await waiting(amount)];
    const both = { amount, e2e: `E${amount}` };
    await bring(write({ ...both, text: `${one.reference} ${other.reference}` }));
    await bring(camt('053', { ...both, text: other.reference }));
    expect(await receivedFor(one.order)).toBe(0);
    expect(await receivedFor(other.order)).toBe(amount);
    expect(await linesOf(amount)).toMatchObject([{ text: other.reference }]);
    await expectHealthy(app);
  });

  it.each(TOLD)('has them, too, where it had none that name an order: %s', async (_, write) => {
    const amount = newAmount();
    const { order, reference } = await waiting(amount);
    await bring(write({ amount, e2e: `E${amount}`, text: 'Hello' }));
    await bring(camt('053', { amount, e2e: `E${amount}`, text: reference }));
    expect(await receivedFor(order)).toBe(amount);
    expect(await linesOf(amount)).toHaveLength(1);
  });

  it.each(TOLD)('keeps its words where the bank says that it is the same: %s', async (_, write) => {
    const amount = newAmount();
    const { order, reference } = await waiting(amount);
    const same = { amount, acctSvcrRef: `R${amount}` };
    await bring(write({ ...same, text: reference }));
    await bring(camt('053', same));
    expect(await receivedFor(order)).toBe(amount);
  });
});

describe('a payment of a batch', () => {
  it('is asked about where another file tells it alone, on another day', async () => {
    const amount = newAmount();
    const [one, other] = [await waiting(amount), await waiting(newAmount())];
    const parts = [
      { amount, text: one.reference },
      { amount: amount + 1, text: other.reference },
    ];
    const days = { bookedOn: dayOff(-1), valuedOn: DAY };
    await bring(camt('054', { amount: 2 * amount + 1, ...days, details: parts }));
    await bring(mt940(...parts));
    expect(await receivedFor(one.order)).toBe(amount);
    expect(await receivedFor(other.order)).toBe(amount + 1);
    expect(await askedOf(amount)).toHaveLength(1);
    expect(await askedOf(amount + 1)).toHaveLength(1);
    await expectHealthy(app);
  });

  it('is asked about, too, where it was told alone before', async () => {
    const amount = newAmount();
    const { order, reference } = await waiting(amount);
    const parts = [
      { amount, text: reference },
      { amount: amount + 1, text: 'Rent' },
    ];
    await bring(mt940(...parts));
    const days = { bookedOn: dayOff(-1), valuedOn: DAY };
    await bring(camt('054', { amount: 2 * amount + 1, ...days, details: parts }));
    expect(await receivedFor(order)).toBe(amount);
    expect(await askedOf(amount)).toHaveLength(1);
  });
});

describe('another running number', () => {
  const COMMON: readonly (readonly [string, Partial<WrittenEntry>])[] = [
    ['a transaction id', { transactionId: 'TX27' }],
    ['a reference of the bank, and an end-to-end id', { acctSvcrRef: 'SVC27', e2e: 'E27' }],
  ];

  it.each(COMMON)('makes no second booking beside %s', async (_, said) => {
    const amount = newAmount();
    const { order, reference } = await waiting(amount);
    const entry = { amount, text: reference, payer: POOLED, ...said };
    await bring(camt('052', { ...entry, ntryRef: '1' }));
    await bring(camt('052', { amount: newAmount(), ntryRef: '1' }, { ...entry, ntryRef: '2' }));
    expect(await receivedFor(order)).toBe(amount);
    expect(await linesOf(amount)).toHaveLength(1);
  });

  it('is asked about beside a reference of the bank alone', async () => {
    const amount = newAmount();
    const [one, other] = [await waiting(amount), await waiting(amount)];
    const entry = { amount, acctSvcrRef: 'SVC28' };
    await bring(camt('052', { ...entry, text: one.reference, ntryRef: '1' }));
    await bring(camt('052', { ...entry, text: other.reference, ntryRef: '2' }));
    expect(await receivedFor(one.order)).toBe(amount);
    expect(await receivedFor(other.order)).toBe(0);
    expect(await askedOf(amount)).toHaveLength(1);
  });

  it('makes none either where their payers wrote something else', async () => {
    const amount = newAmount();
    const [one, other] = [await waiting(amount), await waiting(amount)];
    await bring(camt('052', { amount, text: one.reference, ntryRef: '1' }));
    await bring(camt('052', { amount, text: other.reference, ntryRef: '2' }));
    expect(await receivedFor(one.order)).toBe(amount);
    expect(await receivedFor(other.order)).toBe(0);
    expect(await askedOf(amount)).toHaveLength(1);
  });
});

describe('an end-to-end id in common', () => {
  const told2 = async (amount: number, reference: string, days: number) => {
    const entry = { amount, e2e: `E${amount}`, text: reference, payer: POOLED };
    await bring(camt('054', { ...entry, bookedOn: dayOff(-days) }));
    await bring(mt940(entry));
  };

  it.each([1, 5])('is asked about although all days are others: %i', async (days) => {
    const amount = newAmount();
    const { order, reference } = await waiting(amount);
    await told2(amount, reference, days);
    expect(await receivedFor(order)).toBe(amount);
    expect(await askedOf(amount)).toHaveLength(1);
    await expectHealthy(app);
  });

  it('is not where the days are far apart, or one statement tells of both', async () => {
    const amount = newAmount();
    const { order, reference } = await waiting(amount);
    await told2(amount, reference, 6);
    expect(await receivedFor(order)).toBe(2 * amount);
    const more = newAmount();
    const entry = { amount: more, e2e: 'RENT', text: 'Rent' };
    const days = [{ ...entry, bookedOn: dayOff(-1) }, entry];
    await bring(camt('054', ...days));
    expect(await linesOf(more)).toHaveLength(2);
    expect(await askedOf(more)).toEqual([]);
  });
});
