import { monitorEventLoopDelay } from 'node:perf_hooks';
import { describe, expect, it } from '@jest/globals';
import { BankImportService } from '../src/bank/import/import.service.js';
import { camtFile, type WrittenEntry, type WrittenPayment } from './support/bank-file.js';
import { collectionAccount, OWN_ACCOUNT } from './support/bank-lines.js';
import { onPostgres } from './support/database.js';
import { openShop } from './support/shop.js';

/** A shop with one price has so many payments of a day. 9000 by hand. */
const LINES = Number(process.env['EQUAL_LINES'] ?? 2_000);
/** Milliseconds for a line, of which each file has so many. */
const LINE_MAX_MS = 15;
/** Nobody waits so long for the processor, however many others use it. */
const TURN_MAX_MS = 1_000;

const { app } = await openShop();
await collectionAccount(app);
const DAY = app.clock.now().toISOString().slice(0, 10);

let amount = 1_000;
let files = 0;

type Said = (file: number, n: number) => Partial<WrittenEntry>;
const text = (file: number, n: number): string => `${file} paid for ${n} `.repeat(7);
const iban = (n: number): string => {
  const account = String(n).padStart(18, '0');
  return `DE${String(98n - (BigInt(`${account}131400`) % 97n)).padStart(2, '0')}${account}`;
};

/** What tells the payments of the second file from those of the first, if they are others. */
const SAID: Readonly<Record<string, Said>> = {
  'other texts': (file, n) => ({ text: text(file, n) }),
  'the same texts, from the last on': (file, n) => ({ text: text(0, file ? LINES - 1 - n : n) }),
  'other accounts': (file, n) => ({ text: text(file, n), payer: { iban: iban(file * LINES + n) } }),
  'other transaction ids': (file, n) => ({ text: text(file, n), transactionId: `${file}T${n}` }),
  'other running numbers': (file, n) => ({ text: text(file, n), ntryRef: `${file}N${n}` }),
  'other end-to-end ids': (file, n) => ({ text: text(file, n), e2e: `${file}E${n}` }),
  'other references': (file, n) => ({ text: text(file, n), bankReference: `${file}B${n}` }),
  'other references with the same beginning': (file, n) => ({
    text: text(file, n),
    bankReference: `BANKXX2026112700${file}B${n}`,
  }),
  'other references, one end-to-end id': (file, n) => ({
    text: text(file, n),
    bankReference: `BANKXX2026112700${file}B${n}`,
    e2e: 'E',
  }),
  'one end-to-end id': (file, n) => ({ text: text(file, n), e2e: 'E' }),
};

async function bring(
  message: '052' | '053' | '054',
  entries: readonly WrittenEntry[],
  day: string = DAY,
) {
  const file = camtFile(message, { account: OWN_ACCOUNT, day, id: `S${++files}`, entries });
  const options = { mode: 'test', name: 'a.xml', source: 'cli' } as const;
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const began = performance.now();
  const result = await app.get(BankImportService).import({ bytes: Buffer.from(file) }, options);
  const took = performance.now() - began;
  delay.disable();
  expect(result).toMatchObject({ result: 'imported' });
  const figures = { took: Math.round(took), turn: Math.round(delay.max / 1e6), new: result.new };
  if (process.env['EQUAL_LINES']) console.log(`${message} ${JSON.stringify(figures)}`);
  return figures;
}

describe('payments of one amount and day, of which two files tell', () => {
  const ONE_ENTRY = Object.keys(SAID).filter((name) => name !== 'other running numbers');

  it.each(ONE_ENTRY)(
    'keep nobody waiting where they are one entry: %s',
    async (name) => {
      amount += 1;
      const entry = (file: number): WrittenEntry => ({
        amount: amount * LINES,
        details: Array.from({ length: LINES }, (_, n) => ({ amount, ...SAID[name]!(file, n) })),
      });
      await bring('054', [entry(0)]);
      const { took, turn } = await bring('053', [entry(1)]);
      expect(turn).toBeLessThan(TURN_MAX_MS);
      expect(took).toBeLessThan(LINES * LINE_MAX_MS);
    },
    600_000,
  );

  // The embedded database stores five lines at a time.
  const eachEntry = onPostgres(it, 'pieces have many lines');
  for (const name of Object.keys(SAID))
    eachEntry(
      `keep nobody waiting where each is an entry: ${name}`,
      async () => {
        amount += 1;
        const entries = (file: number): WrittenEntry[] =>
          Array.from({ length: LINES }, (_, n) => ({ amount, ...SAID[name]!(file, n) }));
        await bring('052', entries(0));
        const { took, turn } = await bring('052', entries(1));
        expect(turn).toBeLessThan(TURN_MAX_MS);
        expect(took).toBeLessThan(LINES * LINE_MAX_MS);
      },
      600_000,
    );
});

/** Payments of a batch entry; a file may have 30,000. */
const BATCH_LINES = Number(process.env['BATCH_LINES'] ?? 6_000);
/** Numbers of prices of a shop, and the days between its two batches. */
const SHOPS = [
  [900, 3],
  [1, 1],
] as const;

describe('a batch entry with thousands of payments', () => {
  const eachShop = onPostgres(it, 'the embedded database stores five lines at a time');
  for (const [prices, days] of SHOPS)
    eachShop(
      `is imported ${days} days after another one of ${prices} prices, and keeps nobody waiting`,
      async () => {
        amount += 1_000;
        const low = amount;
        const lines = prices === 1 ? LINES : BATCH_LINES;
        const entry = (file: number): WrittenEntry => {
          const details = Array.from({ length: lines }, (_, n) => ({
            amount: low + (n % prices),
            e2e: `E${low}-${file}-${n}`,
            transactionId: `T${low}-${file}-${n}`,
            bankReference: `BANKXX${file}${low}${String(n).padStart(6, '0')}`,
            payer: { name: `Payer ${file} ${n}`, iban: iban(prices === 1 ? 0 : file * lines + n) },
          }));
          return { amount: details.reduce((sum, each) => sum + each.amount, 0), details };
        };
        const before = new Date(Date.parse(DAY) - days * 86_400_000).toISOString().slice(0, 10);
        for (const [file, day] of [before, DAY].entries()) {
          const { took, turn, new: stored } = await bring('053', [entry(file)], day);
          expect(stored).toBe(lines);
          expect(turn).toBeLessThan(TURN_MAX_MS);
          expect(took).toBeLessThan(lines * LINE_MAX_MS);
        }
      },
      600_000,
    );
});

/** Entries without a payer and entries of two payments, which may be reported in both ways. */
describe('thousands of totals and batches of one amount and day', () => {
  const half = (n: number): WrittenPayment => ({ amount, text: `part ${n}` });
  const total = (n: number, more: Partial<WrittenEntry> = {}): WrittenEntry => ({
    amount: 2 * amount,
    details: [],
    ntryRef: `${n}`,
    ...more,
  });
  const batch = (n: number, more: Partial<WrittenEntry> = {}): WrittenEntry => ({
    ...total(n, more),
    details: [half(2 * n), half(2 * n + 1)],
  });
  const each = (make: (n: number) => WrittenEntry): WrittenEntry[] =>
    Array.from({ length: LINES }, (_, n) => make(n));
  const named = (n: number): Partial<WrittenEntry> => ({ acctSvcrRef: `BANKXX2026112700B${n}` });
  type Files = readonly (readonly ['053' | '054', WrittenEntry[]])[];
  const CASES: Readonly<Record<string, () => Files>> = {
    'totals first': () => [
      ['053', each(total)],
      ['054', each(batch)],
    ],
    'batches first': () => [
      ['054', each(batch)],
      ['053', each(total)],
    ],
    'other references': () => [
      ['053', each((n) => total(n, named(n)))],
      ['054', each((n) => batch(n, named(LINES + n)))],
    ],
    'other references, batches first': () => [
      ['054', each((n) => batch(n, named(LINES + n)))],
      ['053', each((n) => total(n, named(n)))],
    ],
    'one reference': () => [
      ['053', each((n) => total(n, named(0)))],
      ['054', each((n) => batch(n, named(0)))],
    ],
    'one statement': () => [['053', [...each(total), ...each(batch)]]],
    'one batch of all': () => [
      ['053', [{ ...total(0), amount: 2 * amount * LINES }]],
      ['054', [{ ...batch(0), amount: 2 * amount * LINES, details: each(half) }]],
    ],
  };

  const eachCase = onPostgres(it, 'the embedded database stores five lines at a time');
  for (const [name, files] of Object.entries(CASES))
    eachCase(
      `keep nobody waiting: ${name}`,
      async () => {
        amount += 1;
        for (const [message, entries] of files()) {
          const { took, turn } = await bring(message, entries);
          expect(turn).toBeLessThan(TURN_MAX_MS);
          expect(took).toBeLessThan(2 * LINES * LINE_MAX_MS);
        }
      },
      600_000,
    );
});
