import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { EntityManager } from 'typeorm';
import { GivenOrdinals } from '../src/bank/recognition/given-ordinals.js';
import { BankImportService } from '../src/bank/import/import.service.js';
import {
  type IncomingLine,
  incomingLine,
  knownBooking,
} from '../src/bank/recognition/incoming-line.js';
import { rivalsWanted, sharingRivals } from '../src/bank/recognition/rivals.js';
import {
  type BookingIdentity,
  matchScore,
  mayBeSame,
  nameIn,
  shareBankReference,
} from '../src/bank/recognition/same-booking.js';
import { candidateQueriesOf } from '../src/bank/recognition/candidate-query.js';
import { collectBankFile, statementFile } from '../src/bank-statements/collect.js';
import { newTransferReference } from '../src/common/money/creditor-reference.js';
import { uuidv7 } from '../src/common/ids.js';
import type { BankLine } from '../src/database/bank/lines/bank-line.entity.js';
import { BankLineRepository } from '../src/database/bank/lines/bank-line.repository.js';
import {
  type KnownLine,
  LineStoreRepository,
} from '../src/database/bank/lines/line-store.repository.js';
import { BY_MARKS } from '../src/database/bank/lines/line-store.statements.js';
import { PossibleDuplicateRepository } from '../src/database/bank/lines/possible-duplicate.repository.js';
import { RIVALS } from '../src/database/bank/lines/possible-duplicate.statements.js';
import { Database } from '../src/database/database.js';
import { camtFile, mt940File, type WrittenEntry } from './support/bank-file.js';
import { collectionAccount, OWN_ACCOUNT } from './support/bank-lines.js';
import { openShop } from './support/shop.js';

const { app } = await openShop();
await collectionAccount(app);

const FORMATS = {
  camt: 'camt.053.001.08',
  notification: 'camt.054.001.08',
  mt940: 'mt940',
} as const;
type Format = keyof typeof FORMATS;
const DAY = app.clock.now().toISOString().slice(0, 10);
const dayBefore = (days: number): string =>
  new Date(Date.parse(DAY) - days * 86_400_000).toISOString().slice(0, 10);

let files = 0;

function written(format: Format, entries: readonly WrittenEntry[]): string {
  const statement = { account: OWN_ACCOUNT, day: DAY, id: `S${++files}`, entries };
  if (format === 'mt940') return mt940File(statement);
  return camtFile(format === 'camt' ? '053' : '054', statement);
}

async function bring(format: Format, entries: readonly WrittenEntry[]): Promise<void> {
  const options = { mode: 'test', name: 'a.txt', source: 'cli' } as const;
  const bytes = Buffer.from(written(format, entries));
  await app.get(BankImportService).import({ bytes }, options);
}

async function linesOf(
  format: Format,
  entries: readonly WrittenEntry[],
): Promise<readonly IncomingLine[]> {
  const { statements } = await collectBankFile(statementFile(written(format, entries)));
  return statements[0]!.lines.map((line) => incomingLine(line, FORMATS[format]));
}

const STORING = {
  mode: 'test',
  account: OWN_ACCOUNT,
  statementId: uuidv7(0),
  apart: [],
  likelyApart: { has: () => false },
  isCut: false,
  format: 'camt.054',
  balanced: null,
} as const;

/** Lines that are there and that those of a file could be. */
async function knownTo(lines: readonly IncomingLine[]): Promise<KnownLine[]> {
  const wanted = [...candidateQueriesOf(lines, new GivenOrdinals())];
  return app
    .get(Database)
    .transaction((tx) => app.get(LineStoreRepository).known(tx, STORING, wanted));
}

const bookingOfLine = (line: BankLine) => knownBooking({ ...line, statements: [] });

/** Whether names of the bank make them one on any day: a transaction id, or a reference and an end-to-end id. */
function hasSameId(line: BookingIdentity, other: BookingIdentity): boolean {
  const id = line.identifiers['transactionId'];
  const isNamed = line.endToEndId !== null && line.endToEndId === other.endToEndId;
  return (
    Boolean(id && id === other.identifiers['transactionId']) ||
    (isNamed && shareBankReference(line, other))
  );
}

/** A line that is there, and that such a line may be although its payer wrote something else. */
async function rivalOf(line: IncomingLine, format: Format): Promise<string | undefined> {
  const storing = { ...STORING, format: FORMATS[format] };
  const name = nameIn(storing.format);
  const wanted = rivalsWanted([line], storing);
  const rivals = { wanted, name, own: [], taken: [], isLate: true };
  const found = await app
    .get(Database)
    .transaction((tx) => app.get(PossibleDuplicateRepository).rivals(tx, storing, rivals));
  return found.get(0);
}

/** The bank's references, or end-to-end ids, of such lines. */
async function namesKnownTo(format: Format, ...entries: WrittenEntry[]): Promise<string[]> {
  const known = await knownTo(await linesOf(format, entries));
  return known.map((line) => line.bankReference ?? line.endToEndId ?? '').toSorted();
}

interface Plan {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** How many lines the database looks at to find those that lines of a file could be. */
async function linesSeenFor(format: Format, ...entries: WrittenEntry[]): Promise<number> {
  const lines = await linesOf(format, entries);
  return linesSeenBy(BY_MARKS, () => knownTo(lines));
}

/** How many the database looks at for a statement of some work. */
async function linesSeenBy(sql: string, work: () => Promise<unknown>): Promise<number> {
  const query = jest.spyOn(EntityManager.prototype, 'query');
  await work();
  const asked = query.mock.calls.find(([each]) => each === sql);
  query.mockRestore();
  const [row] = await app
    .get(Database)
    .transaction<[{ 'QUERY PLAN': [{ Plan: Plan }] }]>((tx) =>
      tx.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, asked![1] as unknown[]),
    );
  return nodesOf(row['QUERY PLAN'][0].Plan)
    .filter((node) => node['Relation Name'] === 'bank_lines')
    .map(
      (node) =>
        (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
    )
    .reduce((sum, rows) => sum + rows, 0);
}

describe('what a file reads of an account', () => {
  it('is no line of the same money that a reference of the bank tells apart', async () => {
    const equal = (from: number, count: number): WrittenEntry[] =>
      Array.from({ length: count }, (_, n) => ({
        amount: 77_700,
        acctSvcrRef: `EQUAL-${from + n}`,
      }));
    await bring('camt', equal(0, 60));
    expect(await namesKnownTo('camt', ...equal(58, 4))).toEqual(['EQUAL-58', 'EQUAL-59']);
    expect(await namesKnownTo('camt', ...equal(100, 4))).toEqual([]);
    // Cut by MT940, it is still the same.
    await bring('camt', [{ amount: 77_700, acctSvcrRef: 'LONG-REFERENCE-OF-A-BANK' }]);
    const cut = { amount: 77_700, acctSvcrRef: 'LONG-REFERENCE-O' };
    expect(await namesKnownTo('mt940', cut)).toEqual(['LONG-REFERENCE-OF-A-BANK']);
    // One without a reference could be any of them.
    expect(await namesKnownTo('camt', ...equal(0, 1), { amount: 77_700 })).toHaveLength(61);
    // However many there are, it costs nothing: neither in camt, nor in MT940, which looks at days around.
    for (const format of ['camt', 'mt940'] as const)
      expect(await linesSeenFor(format, ...equal(58, 4))).toBeLessThan(10);
  });

  it('is none with another end-to-end id, and those of which one has a name that the other lacks', async () => {
    const entry = (e2e?: string, acctSvcrRef?: string): WrittenEntry => ({
      amount: 88_800,
      ...(e2e === undefined ? {} : { e2e }),
      ...(acctSvcrRef === undefined ? {} : { acctSvcrRef }),
    });
    const many = Array.from({ length: 60 }, (_, n) => entry(`MANY-${n}`));
    await bring('camt', [
      ...many,
      entry('A'),
      entry('B'),
      entry('C', 'BC'),
      entry(),
      entry(undefined, 'B'),
    ]);
    expect(await namesKnownTo('camt', entry('A'))).toEqual(['', 'A', 'B']);
    expect(await namesKnownTo('camt', entry('A', 'BA'))).toEqual(['', 'A']);
    expect(await namesKnownTo('camt', entry('C', 'BC'))).toEqual(['', 'BC']);
    expect(await namesKnownTo('camt', entry('Z', 'BZ'))).toEqual(['']);
    expect(await namesKnownTo('camt', entry(undefined, 'BZ'))).toHaveLength(63);
    expect(await linesSeenFor('camt', entry('A', 'BA'))).toBeLessThan(10);
  });

  it('is one that names the same order on another day, and none that names another one', async () => {
    const references = Array.from({ length: 60 }, () => newTransferReference('test'));
    const entries = references.map((text, n) => ({
      amount: 55_500,
      acctSvcrRef: `ORDER-${n}`,
      text,
      bookedOn: dayBefore(3),
    }));
    await bring('notification', entries);
    const again = { amount: 55_500, text: references[7]! };
    const own = { ...again, acctSvcrRef: 'OTHER' };
    // A reference of its own in the same kind of message tells it from all of them.
    const [other] = await linesOf('notification', [own]);
    expect(await rivalOf(other!, 'notification')).toBeUndefined();
    // Those of the money are read once for all lines of the file, and not again by the order.
    const seen = linesSeenBy(RIVALS, () => rivalOf(other!, 'notification'));
    expect(await seen).toBeLessThan(70);
    const all = await app.get(BankLineRepository).list({ mode: 'test' }, 10_000);
    const known = all.find(({ text }) => text === again.text);
    for (const [format, entry] of [
      ['camt', own],
      ['mt940', again],
    ] as const) {
      const [line] = await linesOf(format, [entry]);
      expect(await rivalOf(line!, format)).toBe(known!.id);
    }
  });

  it('is no announcement that is one of another booking', async () => {
    const equal = (status: 'announced' | 'booked', from: number, count: number): WrittenEntry[] =>
      Array.from({ length: count }, (_, n) => {
        return { amount: 99_900, status, acctSvcrRef: `SOON-${from + n}`, bookedOn: dayBefore(3) };
      });
    await bring('camt', equal('announced', 0, 60));
    const booked = equal('booked', 58, 4).map((entry) => ({ ...entry, bookedOn: DAY }));
    expect(await namesKnownTo('camt', ...booked)).toEqual(['SOON-58', 'SOON-59']);
    expect(await linesSeenFor('camt', ...booked)).toBeLessThan(10);
  });

  it('is every line that one of the file could be', async () => {
    const amount = 66_600;
    const name = (...names: string[]) => fc.constantFrom(undefined, ...names);
    const payment = fc.record({
      e2e: name('E1', 'E2', newTransferReference('test')),
      bankReference: name('B1', 'B2', 'B-OF-MORE-THAN-16', 'B-OF-MORE-THAN-1'),
      transactionId: name('T1', 'T2'),
      text: name('Rent', newTransferReference('test'), newTransferReference('test')),
      payer: fc.constantFrom(
        ...[undefined, 'NL91ABNA0417164300', 'DE71110220330123456789'].map(
          (iban) => iban && { iban },
        ),
      ),
    });
    const entry = fc.record({
      acctSvcrRef: name('B1', 'B2', 'B3', 'B-OF-MORE-THAN-16'),
      ntryRef: name('1', '2'),
      daysAgo: fc.constantFrom(0, 1, 5, 6),
      valuedAgo: fc.constantFrom(0, 1, 3),
      status: fc.constantFrom('booked' as const, 'announced' as const),
      payment,
    });
    const entries = fc.array(
      entry.map(({ acctSvcrRef, ntryRef, daysAgo, valuedAgo, status, payment }): WrittenEntry => {
        const named = Object.entries({ acctSvcrRef, ntryRef, ...payment }).filter(
          ([, value]) => value,
        );
        const days = { bookedOn: dayBefore(daysAgo), valuedOn: dayBefore(valuedAgo) };
        return { amount, status, ...days, ...Object.fromEntries(named) };
      }),
      { minLength: 20, maxLength: 20 },
    );
    const format = fc.constantFrom<Format>('camt', 'notification', 'mt940');
    let [couldBe, mayBe] = [0, 0];
    await fc.assert(
      fc.asyncProperty(entries, entries, format, format, async (there, more, first, second) => {
        await bring(first, there);
        const all = await app
          .get(BankLineRepository)
          .list({ mode: 'test', account: OWN_ACCOUNT }, 10_000);
        const lines = await linesOf(second, more);
        // Each alone: one that nothing tells apart reads all.
        for (const line of lines) {
          const known = new Set((await knownTo([line])).map(({ id }) => id));
          const ofMoney = all.filter((other) => other.amount === amount);
          const like = ofMoney.filter((other) => matchScore(line, bookingOfLine(other)) > 0);
          couldBe += like.length;
          for (const { id } of like) expect(known).toContain(id);
          const rivals = ofMoney.filter(
            (other) =>
              other.status === 'booked' &&
              (mayBeSame(line, bookingOfLine(other)) || hasSameId(line, bookingOfLine(other))),
          );
          mayBe += rivals.length;
          const there = await knownTo([line]);
          const [sharing] = sharingRivals([line], there, STORING);
          const rival = (await rivalOf(line, second)) ?? sharing?.[1];
          if (rival === undefined) expect(rivals).toEqual([]);
          else expect(rivals.map(({ id }) => id)).toContain(rival);
        }
      }),
      { numRuns: 30, endOnFailure: true },
    );
    expect(couldBe).toBeGreaterThan(1_000);
    expect(mayBe).toBeGreaterThan(1_000);
  });
});
