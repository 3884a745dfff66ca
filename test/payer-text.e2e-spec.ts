import { randomInt } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { collectBankFile, type CollectedFile } from '../src/bank-statements/collect.js';
import type { StatementLine } from '../src/bank-statements/statement.js';
import { csvProfileOf } from './support/bank-file.js';
import {
  type Booking,
  render,
  RENDER_FORMATS,
  type RenderFormat,
  type RenderedStatement,
} from './support/statement-renderers.js';

/** PAYER_TEXT_SEED repeats a run that failed. */
const SEED = Number(process.env['PAYER_TEXT_SEED'] ?? randomInt(2 ** 31));
const RUNS = Number(process.env['PAYER_TEXT_RUNS'] ?? 150);

const ACCOUNT = 'DE89370400440532013000';
const DAY = '2025-11-20';
const PROFILE = csvProfileOf(ACCOUNT);
const MALLORY = 'NO9386011117947';

/** What marks, fields, lines and ends of messages look like. */
const SIGNS = [
  ...['EREF', 'KREF', 'MREF', 'CRED', 'OAMT', 'SVWZ', 'ABWA', 'IBAN', 'BIC'].map((m) => `${m}+`),
  ...['EREF', 'IBAN', 'BIC', 'NAME', 'ORDP', 'BENM', 'CNTP', 'REMI', 'RTRN', 'ISDT'].map(
    (m) => `/${m}/`,
  ),
  ...['00', '10', '20', '21', '22', '29', '30', '31', '32', '33', '34', '38', '60', '61'].map(
    (n) => `?${n}`,
  ),
  ...['20', '25', '28C', '34F', '13D', '60F', '62F', '62M', '64', '61', '86'].map((t) => `:${t}:`),
  ':61:2611201120C9999,00NTRFNONREF',
  ':61:2611201120D9999,00NTRFNONREF',
  ':60F:C261120EUR0,00',
  ':62F:C261120EUR9999,00',
  ':86:166?20SVWZ+',
  `?30DNBANOKK?31${MALLORY}?32MALLORY`,
  `/IBAN/${MALLORY}/NAME/MALLORY/`,
  `REK: ${MALLORY}/NAAM: MALLORY`,
  MALLORY,
  'MALLORY',
  'RF18539007547034',
  '{1:F01KNABNL2HAXXX0000000000}{2:I940KNABNL2HXXXXN3020}{4:',
  '-}',
  '-XXX',
  '-',
  '//',
  '166?20',
];

const sign = fc.constantFrom(...SIGNS);
const filler = fc.nat({ max: 66 }).map((length) => 'x'.repeat(length));
const blanks = fc.nat({ max: 66 }).map((length) => ' '.repeat(length));
const word = fc.stringMatching(/^[A-Za-z0-9 +.,:?/-]{0,12}$/);
/** A text of the length that SEPA allows, and that begins and ends with no blank, as banks pass it on. */
const textOf = (maxLength: number) =>
  fc
    .array(fc.oneof({ weight: 4, arbitrary: sign }, filler, blanks, word), { maxLength: 7 })
    .map((parts) => parts.join('').slice(0, maxLength).trim());

const booking: fc.Arbitrary<Booking> = fc.record({
  amount: fc.integer({ min: 1, max: 100_000 }),
  bookedOn: fc.constant(DAY),
  valuedOn: fc.constant(DAY),
  payerName: fc.option(
    fc.oneof(
      fc.constantFrom('ADA LOVELACE', 'BO', 'GRACE BREWSTER MURRAY HOPPER OF YALE'),
      textOf(70),
    ),
  ),
  payerAccount: fc.option(fc.constantFrom('DE71110220330123456789', 'NL91ABNA0417164300')),
  endToEndId: fc.option(
    fc.oneof(
      { weight: 9, arbitrary: textOf(35).filter((id) => id !== '') },
      { weight: 1, arbitrary: fc.constant(MALLORY) },
    ),
  ),
  text: textOf(140),
  bankReference: fc.option(fc.stringMatching(/^[A-Z0-9]{16}$/)),
});

const statement: fc.Arbitrary<RenderedStatement> = fc.record({
  account: fc.constant(ACCOUNT),
  currency: fc.constant('EUR'),
  openingBalance: fc.integer({ min: 0, max: 1_000_000 }),
  number: fc.integer({ min: 1, max: 99 }),
  day: fc.constant(DAY),
  bookings: fc.array(booking, { minLength: 1, maxLength: 5 }),
});

const read = (format: RenderFormat, drawn: RenderedStatement): Promise<CollectedFile> =>
  collectBankFile({ bytes: Buffer.from(render(format, drawn)) }, { profile: PROFILE });

const money = (lines: readonly StatementLine[]): string[] =>
  lines.map(({ amount, direction, status }) => `${direction} ${amount} ${status}`);

/** The words of a text, wherever its bank has cut it. */
const squeezed = (text: string | null): string => (text ?? '').replace(/\s/g, '');

/** Whether a name is a part of a payer's: it ends where it imitates structure. A `?` may also remove a code within it. */
const isFrom = (payerName: string | null, name: string | null): boolean =>
  payerName?.includes('?') || squeezed(payerName).includes(squeezed(name));

/** In this format a payer's reference such as `NONREF//X` cannot be told from the bank's; matching doubts both. */
function imitatedReference(format: RenderFormat, endToEndId: string | null): string | null {
  if (format !== 'mt940-plain') return null;
  const [, imitated = ''] = /^[A-Z]+\+?\s*\/\/(.*)$/.exec((endToEndId ?? '').slice(0, 16)) ?? [];
  return imitated.trim() || null;
}

describe('whatever a payer writes', () => {
  it.each(RENDER_FORMATS)(
    '%s gives no account and no name that is not the bank’s',
    async (format) => {
      const run = fc.asyncProperty(statement, async (drawn) => {
        const { statements } = await read(format, drawn);
        const accounts = [null, ...drawn.bookings.map(({ payerAccount }) => payerAccount)];
        const names = ['', ...drawn.bookings.map(({ payerName }) => payerName)];
        for (const { counterparty, returned, ...line } of statements.flatMap(
          ({ lines }) => lines,
        )) {
          expect(accounts).toContain(counterparty.account);
          expect(names.some((name) => isFrom(name, counterparty.name))).toBe(true);
          expect({ returned, reversal: line.reversal }).toEqual({
            returned: false,
            reversal: false,
          });
        }
      });
      await fc.assert(run, { numRuns: RUNS, seed: SEED });
    },
  );

  it.each(RENDER_FORMATS)(
    '%s proves no money but what was booked, with its payers',
    async (format) => {
      const run = fc.asyncProperty(statement, async (drawn) => {
        const { statements } = await read(format, drawn);
        const status = format === 'mt942' ? 'announced' : 'booked';
        const isWhole = !format.startsWith('mt') || statements.some(({ balanced }) => balanced);
        if (!isWhole) return;
        const lines = statements.flatMap((each) => each.lines);
        expect(money(lines)).toEqual(drawn.bookings.map(({ amount }) => `in ${amount} ${status}`));
        for (const [at, { counterparty, identifiers }] of lines.entries()) {
          const { payerAccount, payerName, bankReference, endToEndId } = drawn.bookings[at]!;
          expect([null, payerAccount]).toContain(counterparty.account);
          expect(isFrom(payerName, counterparty.name)).toBe(true);
          const references = [null, bankReference, imitatedReference(format, endToEndId)];
          expect(references).toContain(identifiers.entryBankReference);
        }
      });
      await fc.assert(run, { numRuns: RUNS, seed: SEED });
    },
  );

  it.each(RENDER_FORMATS)('%s is read, and no honest money of it is lost', async (format) => {
    const honest: Booking = {
      amount: 12_345,
      bookedOn: DAY,
      valuedOn: DAY,
      payerName: 'ADA LOVELACE OF ANALYTICAL ENGINES',
      payerAccount: 'DE71110220330123456789',
      endToEndId: null,
      text: 'RF71BOOK2026',
      bankReference: 'B1',
    };
    const run = fc.asyncProperty(statement, async (drawn) => {
      const { statements } = await read(format, {
        ...drawn,
        bookings: [...drawn.bookings, honest],
      });
      const last = statements
        .flatMap(({ lines }) => lines)
        .filter(({ amount }) => amount === 12_345n);
      expect(last.some(({ text }) => text?.includes('RF71BOOK2026'))).toBe(true);
    });
    await fc.assert(run, { numRuns: RUNS, seed: SEED });
  });

  it.each(RENDER_FORMATS)('%s of ordinary texts has everything, proven', async (format) => {
    const run = fc.asyncProperty(
      statement.map((drawn) => ({
        ...drawn,
        bookings: drawn.bookings.map((each, at) => ({
          ...each,
          payerName: 'ADA LOVELACE OF ANALYTICAL ENGINES',
          payerAccount: 'DE71110220330123456789',
          endToEndId: each.endToEndId && `E2E ID NUMBER ${at} OF THE PAYER`,
          text: `Invoice ${at} RF71BOOK2026 of November, thank you`,
        })),
      })),
      async (drawn) => {
        const amounts = new Set(drawn.bookings.map(({ amount }) => amount));
        // Equal amounts of one day have no known order in CSV.
        fc.pre(format !== 'csv' || amounts.size > 1);
        const { statements, warnings } = await read(format, drawn);
        expect({ warnings, statements }).toMatchObject({
          warnings: [],
          statements: [{ balanced: /mt940|053|csv/.test(format) ? true : null }],
        });
        expect(statements[0]!.lines.map(({ endToEndId }) => endToEndId)).toEqual(
          drawn.bookings.map(({ endToEndId }) => (format === 'mt940-plain' ? null : endToEndId)),
        );
        for (const line of statements[0]!.lines) {
          expect(line.text).toMatch(
            /Invoice \d RF71BOOK2026 of November, thank you(?:\nE2E ID .*)?$/,
          );
          if (format === 'mt940-plain') continue;
          const account = format === 'mt940-below' ? null : 'DE71110220330123456789';
          expect(line.counterparty).toMatchObject({ account });
          expect(squeezed(line.counterparty.name)).toBe('ADALOVELACEOFANALYTICALENGINES');
        }
      },
    );
    await fc.assert(run, { numRuns: 30, seed: SEED });
  });

  it.each([
    '{1:F01}{4::20:',
    ':20:A',
    `x\n:20:A\n:25:${ACCOUNT}\n:60F:C261120EUR0,\n:61:261120C9999,NTRF\n:62F:C261120EUR9999,`,
  ])('makes no MT940 of a CSV file: %j', async (text) => {
    const drawn = { account: ACCOUNT, currency: 'EUR', openingBalance: 0, number: 1, day: DAY };
    const days = { bookedOn: DAY, valuedOn: DAY };
    const payer = { payerName: null, payerAccount: null, endToEndId: null, bankReference: null };
    const bookings = [{ ...days, ...payer, amount: 100, text }];
    const { statements } = await read('csv', { ...drawn, bookings });
    expect(statements[0]!.lines).toMatchObject([
      { amount: 100n, text: text.replaceAll('\n', ' ') },
    ]);
  });
});
