import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BankImportService } from '../src/bank/import/import.service.js';
import type { CsvProfile } from '../src/bank-statements/csv/csv-profile.js';
import type { BankLine } from '../src/database/bank/lines/bank-line.entity.js';
import { BankLineRepository } from '../src/database/bank/lines/bank-line.repository.js';
import { LineStoreRepository } from '../src/database/bank/lines/line-store.repository.js';
import { Database } from '../src/database/database.js';
import { TestApp } from './support/app.js';
import {
  camtFile,
  csvFile,
  csvProfileOf,
  mt940File,
  type WrittenEntry,
} from './support/bank-file.js';
import { FORMATS, PAIRS, told, reportedBy } from './support/bank-formats.js';
import { count, select } from './support/facts.js';
import { rounds, together } from './support/race.js';

const DAY = '2025-11-20';
const PIECE_AND_MORE = 600;
const PAYER = { name: 'Ada Payer', iban: 'DE71110220330123456789', bic: 'COBADEFFXXX' };

/** What happened on the account on one day, for each format to tell in its own way. */
const ENTRIES: readonly WrittenEntry[] = [
  { amount: 1230, acctSvcrRef: '2026112000000000000000001', e2e: 'E1', text: 'one', payer: PAYER },
  // Two equal payments of one payer, of which the bank says nothing else.
  { amount: 500, text: 'two', payer: PAYER },
  { amount: 500, text: 'two', payer: PAYER },
  { amount: 700, acctSvcrRef: 'R4', text: 'four' },
  { amount: 700, acctSvcrRef: 'R5', text: 'five' },
  { amount: 100, acctSvcrRef: 'R6', e2e: 'OUT-6', direction: 'out', text: 'six' },
  {
    amount: 300,
    acctSvcrRef: 'R7',
    details: [
      { amount: 100, e2e: 'D1' },
      { amount: 200, e2e: 'D2' },
    ],
  },
  // As much as the payments above, or as one of them, and none of theirs.
  { amount: 300, payer: { name: 'Ada Payer' }, text: 'eight' },
  { amount: 200 },
];

let app: TestApp;
let accounts = 0;
const newAccount = (): string => `ACCOUNT${String(++accounts).padStart(5, '0')}`;

beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

function bring(text: string, profile?: CsvProfile, name = 'a.txt') {
  const options = { mode: 'test', name, source: 'cli', profile } as const;
  return app.get(BankImportService).import({ bytes: Buffer.from(text) }, options);
}

const linesOf = (account: string): Promise<BankLine[]> =>
  app.get(BankLineRepository).list({ mode: 'test', account }, 1_000);

describe('the same bookings in several files', () => {
  it.each(PAIRS)('are there once: %s, then %s', async (first, second) => {
    const account = newAccount();
    const statement = { account, day: DAY, opening: 10_000, entries: ENTRIES };
    for (const name of [first, second]) {
      const profile = name === 'CSV' ? csvProfileOf(account) : undefined;
      // Another message that tells the same again.
      const again = { ...statement, id: `S${accounts}-${name}-${Math.random()}` };
      const { result, reason } = await bring(FORMATS[name]!(again), profile);
      expect({ reason, isRefused: result === 'refused' }).toEqual({ isRefused: false });
    }
    expect(told(await linesOf(account))).toEqual(reportedBy(statement, [first, second]));
  });
});

describe('importers at once', () => {
  it('store every booking once, and keep equal ones', async () => {
    const others = app.database.isPostgres ? [await TestApp.start({ database: app.database })] : [];
    const services = [app, ...others].map((each) => each.get(BankImportService));
    await rounds(async () => {
      const account = newAccount();
      const text = camtFile('053', { account, day: DAY, entries: ENTRIES });
      const results = await together((n) => {
        const options = { mode: 'test', name: 'a.xml', source: 'folder' } as const;
        return services[n % services.length]!.import({ bytes: Buffer.from(text) }, options);
      }, 10);
      expect(results.reduce((sum, { new: added }) => sum + added, 0)).toBe(10);
      expect(told(await linesOf(account)).booked).toEqual([
        -100, 100, 200, 200, 300, 500, 500, 700, 700, 1230,
      ]);
    });
    for (const other of others) await other.stop();
  }, 300_000);

  it('of different files of one day, too', async () => {
    await rounds(async () => {
      const account = newAccount();
      const statement = { account, day: DAY, entries: ENTRIES };
      const texts = ['camt.052', 'camt.053', 'camt.054', 'MT940', 'MT942'].map((name) =>
        FORMATS[name]!(statement),
      );
      await Promise.all(texts.map((text) => bring(text)));
      expect(told(await linesOf(account))).toEqual({
        booked: [-100, 100, 200, 200, 300, 500, 500, 700, 700, 1230],
        announced: [],
      });
    });
  }, 300_000);
});

describe('a file', () => {
  it('keeps all its equal lines, more than one transaction stores', async () => {
    const account = newAccount();
    const entries = Array.from({ length: PIECE_AND_MORE }, () => ({ amount: 999, text: 'equal' }));
    const told = (id: string) => bring(camtFile('053', { account, day: DAY, id, entries }));
    expect(await told('A')).toMatchObject({ new: PIECE_AND_MORE, known: 0 });
    expect(await told('B')).toMatchObject({ new: 0, known: PIECE_AND_MORE });
  }, 300_000);

  it('is known by its bytes', async () => {
    const account = newAccount();
    const text = camtFile('053', { account, day: DAY, entries: ENTRIES });
    const first = await bring(text);
    expect(first).toMatchObject({
      result: 'imported',
      format: 'camt.053.001.08',
      new: 10,
      known: 0,
    });
    expect(first).toMatchObject({ matched: 0, suggested: 0, unmatched: 9, notPayments: 1 });
    expect(await bring(text)).toEqual({ ...first, result: 'known', new: 0, known: 10 });
  });

  it('may be compared with known lines for longer than other transactions may be idle', async () => {
    const limitIn = (isImport: boolean) =>
      app.get(Database).transaction(async (tx) => {
        if (isImport) await app.get(LineStoreRepository).lockAccount(tx, 'test', newAccount());
        const [row] = await tx.query<[{ limit: string }]>(
          `SELECT current_setting('idle_in_transaction_session_timeout') AS "limit"`,
        );
        return row.limit;
      });
    const usual = await limitIn(false);
    expect(await limitIn(true)).toBe('1min');
    expect(await limitIn(false)).toBe(usual);
    expect(usual).not.toBe('1min');
  });

  it('leaves nothing when it is refused', async () => {
    const account = newAccount();
    const text = camtFile('053', { account, day: DAY, entries: ENTRIES });
    const before = await count(app, 'bank_files', 'true');
    expect(await bring(text.slice(0, -20))).toMatchObject({ result: 'refused', new: 0 });
    expect(await bring(csvFile({ account, day: DAY, entries: ENTRIES }))).toMatchObject({
      result: 'refused',
      reason: expect.stringContaining('profile'),
    });
    expect(await linesOf(account)).toEqual([]);
    expect(await count(app, 'bank_files', 'true')).toBe(before);
  });

  it('is kept as it came', async () => {
    const text = camtFile('053', { account: newAccount(), day: DAY, entries: ENTRIES });
    const { sha256 } = await bring(text);
    const parts = await select<{ content: Buffer }>(
      app,
      `SELECT p.content FROM bank_file_parts p JOIN bank_files f ON f.id = p.file_id
       WHERE f.sha256 = $1 ORDER BY p.number`,
      [Buffer.from(sha256!, 'hex')],
    );
    expect(gunzipSync(Buffer.concat(parts.map(({ content }) => content))).toString()).toBe(text);
  });

  it('adds what was missing, and changes nothing that was there', async () => {
    const account = newAccount();
    const poor = { amount: 900, acctSvcrRef: 'X1', text: 'first' };
    const rich = { ...poor, text: 'second', e2e: 'E9', payer: PAYER };
    await bring(camtFile('054', { account, day: DAY, entries: [poor] }));
    await bring(camtFile('053', { account, day: DAY, entries: [rich] }));
    expect(await linesOf(account)).toMatchObject([
      { text: 'first', endToEndId: 'E9', counterpartyAccount: PAYER.iban },
    ]);
  });

  it('is one of several: a statement that is missing between two is told', async () => {
    const account = newAccount();
    const day = (n: number, opening: number) => ({
      account,
      id: `D${n}`,
      day: `2025-11-${n}`,
      opening,
      entries: [{ amount: 100, e2e: `${n}` }],
    });
    const codes = async (n: number, opening: number) =>
      (await bring(camtFile('053', day(n, opening)))).warnings.map(({ code }) => code);
    expect(await codes(16, 0)).toEqual([]);
    expect(await codes(17, 100)).toEqual([]);
    expect(await codes(19, 300)).toEqual(['gap']);
  });

  it('holds equal payments of two pages of one statement apart', async () => {
    const account = newAccount();
    const entries = [{ amount: 500, text: 'equal' }];
    const page = (n: number) => ({
      account,
      day: DAY,
      sequence: `12/${n}`,
      opening: 500 * n,
      entries,
    });
    await bring(mt940File(page(1), page(2), page(3)));
    expect(await linesOf(account)).toHaveLength(3);
    await bring(mt940File(page(2)));
    await bring(
      camtFile('053', {
        account,
        day: DAY,
        opening: 500,
        entries: [1, 2, 3].flatMap(() => entries),
      }),
    );
    expect(await linesOf(account)).toHaveLength(3);
  });

  it('does not change what was booked, not even past the service', async () => {
    const account = newAccount();
    await bring(camtFile('053', { account, day: DAY, entries: ENTRIES }));
    const change = (sql: string) =>
      select(app, `UPDATE bank_lines SET ${sql} WHERE account = $1`, [account]);
    for (const sql of [
      'amount = 1',
      `booked_on = '2026-01-01'`,
      `direction = 'in'`,
      `status = 'announced'`,
    ]) {
      await expect(change(sql)).rejects.toThrow('what a bank has booked does not change');
    }
  });
});
