import { describe, expect, it } from '@jest/globals';
import { accountFiles } from './support/account-files.js';
import {
  camtFile,
  csvFile,
  csvProfileOf,
  mt940File,
  type WrittenEntry,
} from './support/bank-file.js';
import { askedAbout, brought, linesWith } from './support/brought.js';
import { collectionAccount, OWN_ACCOUNT, told } from './support/bank-lines.js';
import type { OrderJson } from './support/client.js';
import { expectHealthy } from './support/payout-invariants.js';
import { confirmNoTotals } from './support/no-totals.js';
import { openShop } from './support/shop.js';
import { zip } from './support/zip.js';

const { app, shop } = await openShop();
await confirmNoTotals(app);
await collectionAccount(app);
const { dayOff, newAmount, statement, camt } = accountFiles(app);
const PAYER = { iban: 'NL91ABNA0417164300' };
const PROFILE = csvProfileOf(OWN_ACCOUNT);

const WRITERS = {
  'camt.052': camt('052'),
  'camt.053': camt('053'),
  'camt.054': camt('054'),
  MT940: (...entries: WrittenEntry[]) => mt940File(statement(...entries)),
  CSV: (...entries: WrittenEntry[]) => csvFile(statement(...entries)),
} as const;
type Format = keyof typeof WRITERS;

const bring = (...files: readonly (string | Buffer)[]): Promise<void> =>
  brought(app, files, PROFILE);

const linesOf = (amount: number) => linesWith(app, amount);

const askedOf = (amount: number) => askedAbout(app, amount);

/** An order that costs more than one such payment brings: who counts a payment twice pays it. */
async function waiting(amount: number): Promise<{ order: OrderJson; reference: string }> {
  const order = await shop.order({ amount: 2 * amount });
  return { order, reference: await told(app, shop, order) };
}

const receivedFor = async ({ txid }: OrderJson): Promise<unknown> =>
  (await shop.read(txid)).body['amountReceived'];

describe('one booking that files name differently', () => {
  const number = (one: string, other: string): [Partial<WrittenEntry>, Partial<WrittenEntry>] => [
    { ntryRef: one },
    { ntryRef: other },
  ];
  const reference = (
    one: string,
    other: string,
  ): [Partial<WrittenEntry>, Partial<WrittenEntry>] => [
    { acctSvcrRef: one },
    { acctSvcrRef: other },
  ];
  const STORIES: readonly (readonly [
    string,
    Format,
    Format,
    readonly [Partial<WrittenEntry>, Partial<WrittenEntry>],
  ])[] = [
    ['numbers of entries', 'camt.052', 'camt.052', number('2', '1')],
    ['numbers of entries', 'camt.053', 'camt.053', number('2', '1')],
    ['numbers of entries', 'camt.054', 'camt.054', number('2', '1')],
    ['numbers of an export', 'CSV', 'CSV', reference('2', '1')],
    ['numbers of entries', 'MT940', 'MT940', reference('2', '1')],
    ['a reference for each kind', 'camt.054', 'camt.053', reference('N0001', 'S0009')],
    ['a reference for each kind', 'camt.053', 'CSV', reference('2026112600012345', '2')],
    ['transaction ids', 'camt.052', 'camt.053', [{ transactionId: 'T1' }, { transactionId: 'T2' }]],
  ];
  const SAID: readonly (readonly [string, (reference: string) => Partial<WrittenEntry>])[] = [
    ['a text', (text) => ({ text })],
    ['an end-to-end id', (text) => ({ text, e2e: 'E1' })],
    ['no account', (text) => ({ text, payer: {} })],
  ];
  const CASES = STORIES.flatMap(([called, first, second, names]) =>
    SAID.map(([said, says]) => ({ called, first, second, names, said, says })),
  );

  it.each(CASES)(
    'pays once, and is asked about: by $called, $first then $second, with $said',
    async ({ first, second, names, says }) => {
      const amount = newAmount();
      const { order, reference: named } = await waiting(amount);
      const entry = { amount, payer: PAYER, ...says(named) };
      const other = (n: number) => ({ amount: amount + n, text: 'Rent' });
      await bring(WRITERS[first](other(1), { ...entry, ...names[0] }));
      await bring(WRITERS[second]({ ...entry, ...names[1] }, other(2)));
      expect(await receivedFor(order)).toBe(amount);
      expect(await linesOf(amount)).toHaveLength(2);
      expect(await askedOf(amount)).toHaveLength(1);
      await expectHealthy(app);
    },
  );

  it('is asked about where nobody named an order, by its account and text', async () => {
    for (const [, first, second, names] of STORIES) {
      const amount = newAmount();
      const entry = { amount, payer: PAYER, text: `Payment ${amount}` };
      await bring(WRITERS[first]({ ...entry, ...names[0] }));
      await bring(WRITERS[second]({ ...entry, ...names[1] }));
      expect([first, second, (await askedOf(amount)).length]).toEqual([first, second, 1]);
    }
  });

  it('pays once where two exports of days overlap', async () => {
    const amount = newAmount();
    const { order, reference: text } = await waiting(amount);
    const opening = 1_000_000 * amount;
    const on = (days: number, entry: WrittenEntry) => ({ ...entry, bookedOn: dayOff(days) });
    const shared = on(-1, { amount, text, payer: PAYER, e2e: 'E1' });
    const before = on(-2, { amount: 7, text: 'first', ntryRef: '1' });
    const after = on(0, { amount: 9, text: 'last', ntryRef: '2' });
    const exported = (from: number, until: number, begins: number, ...entries: WrittenEntry[]) =>
      camtFile('053', {
        ...statement(...entries),
        from: dayOff(from),
        day: dayOff(until),
        opening: begins,
      });
    await bring(exported(-2, -1, opening, before, { ...shared, ntryRef: '2' }));
    await bring(exported(-1, 0, opening + 7, { ...shared, ntryRef: '1' }, after));
    expect(await receivedFor(order)).toBe(amount);
    expect(await askedOf(amount)).toHaveLength(1);
  });

  it('is one where the bank gives both a UETR, and asked about where it gives another id, too', async () => {
    const UETR = '97ed4827-7b6f-4491-a06f-b548d5a7512d';
    const amount = newAmount();
    const { order, reference: text } = await waiting(amount);
    const written = (message: '052' | '053', transactionId: string) =>
      camt(message)({ amount, text, transactionId }).replace(
        '<TxId>',
        `<UETR>${UETR}</UETR><TxId>`,
      );
    await bring(written('052', 'T1'));
    await bring(written('053', 'T2'));
    expect(await receivedFor(order)).toBe(amount);
    expect(await askedOf(amount)).toHaveLength(1);
  });
});

describe('equal bookings', () => {
  it('are as many as a statement has, however it numbers them', async () => {
    const amount = newAmount();
    const { order, reference: text } = await waiting(amount);
    const equal = { amount, text, payer: PAYER };
    for (const message of ['054', '053'] as const)
      await bring(camt(message)({ ...equal, ntryRef: '1' }, { ...equal, ntryRef: '2' }));
    expect(await receivedFor(order)).toBe(2 * amount);
    expect(await linesOf(amount)).toHaveLength(2);
    // One of them is told again, with its own number, and what was the second is the third now.
    await bring(camt('053')({ ...equal, ntryRef: '2' }, { ...equal, ntryRef: '3' }));
    expect(await linesOf(amount)).toHaveLength(3);
    expect(await askedOf(amount)).toHaveLength(1);
    expect(await receivedFor(order)).toBe(2 * amount);
  });

  it('are not two by other numbers, whatever their payers wrote', async () => {
    const amount = newAmount();
    const [one, other] = [await waiting(amount), await waiting(amount)];
    await bring(camt('052')({ amount, text: one.reference, payer: PAYER, ntryRef: '1' }));
    await bring(camt('052')({ amount, text: other.reference, payer: PAYER, ntryRef: '2' }));
    expect(await receivedFor(one.order)).toBe(amount);
    expect(await receivedFor(other.order)).toBe(0);
    expect(await askedOf(amount)).toHaveLength(1);
  });
});

describe('one file with several reports', () => {
  const REPORTS = ['camt.052', 'camt.054'] as const;
  const WAYS: readonly (readonly [
    string,
    (format: Format, first: WrittenEntry, second: WrittenEntry) => (string | Buffer)[],
  ])[] = [
    ['two files', (format, ...entries) => entries.map((entry) => WRITERS[format](entry))],
    [
      'an archive',
      (format, ...entries) => [
        zip(
          ...entries.map((entry, n) => ({
            name: `r${n}.xml`,
            bytes: Buffer.from(WRITERS[format](entry)),
          })),
        ),
      ],
    ],
    [
      'one document',
      (format, ...entries) => [
        camtFile(format.slice(5) as '052' | '054', ...entries.map((entry) => statement(entry))),
      ],
    ],
  ];
  const CASES = REPORTS.flatMap((format) => WAYS.map(([way, write]) => ({ format, way, write })));

  it.each(CASES)('asks about what they date differently: $format, $way', async (each) => {
    const amount = newAmount();
    const { order, reference: text } = await waiting(amount);
    const entry = { amount, text, payer: PAYER, valuedOn: dayOff(-1) };
    await bring(
      ...each.write(
        each.format,
        { ...entry, bookedOn: dayOff(-1) },
        { ...entry, bookedOn: dayOff(0) },
      ),
    );
    expect(await receivedFor(order)).toBe(amount);
    expect(await askedOf(amount)).toHaveLength(1);
    await expectHealthy(app);
  });

  it('of balances that follow each other tells of equal bookings', async () => {
    const amount = newAmount();
    const { order, reference: text } = await waiting(amount);
    const opening = 1_000_000 * amount;
    const on = (days: number, begins: number) => ({
      ...statement({ amount, text, payer: PAYER }),
      day: dayOff(days),
      opening: begins,
    });
    await bring(camtFile('053', on(-1, opening), on(0, opening + amount)));
    expect(await receivedFor(order)).toBe(2 * amount);
    expect(await askedOf(amount)).toEqual([]);
  });
});
