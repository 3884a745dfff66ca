import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type IncomingLine,
  incomingLine,
  reportedColumns,
} from '../src/bank/recognition/incoming-line.js';
import { lineKey } from '../src/bank/recognition/line-key.js';
import { rivalsWanted } from '../src/bank/recognition/rivals.js';
import { mayBeSame, nameIn, namedReferenceOf } from '../src/bank/recognition/same-booking.js';
import { NO_IDENTIFIERS, type StatementLine } from '../src/bank-statements/statement.js';
import { newTransferReference } from '../src/common/money/creditor-reference.js';
import {
  AS_WANTED,
  IS_NEAR,
  IS_WANTED_REFERRED,
  MAY_BE,
  MAY_BE_KNOWN,
  WANTED,
} from '../src/database/bank/lines/same-booking.statements.js';
import { select } from './support/facts.js';
import { TestApp } from './support/app.js';

const RUNS = Number(process.env['MODEL_RUNS'] ?? 20);
/** Of a run. */
const PAIRS = 100;
const RUN_MS = 2_000;

const FORMATS = [
  'camt.052.001.08',
  'camt.053.001.02',
  'camt.053.001.08',
  'camt.054.001.08',
  'mt940',
  'csv',
] as const;
const DAYS = ['2026-11-02', '2026-11-20', '2026-11-21', '2026-11-26'];
const ORDERS = [newTransferReference('test'), newTransferReference('test')].toSorted();
const name = (...names: string[]) => fc.constantFrom(null, null, ...names);

const said = fc.record({
  format: fc.constantFrom(...FORMATS),
  bookedOn: fc.constantFrom(...DAYS, null),
  valuedOn: fc.constantFrom(...DAYS, null),
  iban: name('NL91ABNA0417164300', 'DE71110220330123456789'),
  text: name('Rent', ...ORDERS),
  e2e: name('E1', 'E2', ...ORDERS),
  entryReference: name('1', '2'),
  entryBankReference: name('B1', 'B2', 'B-OF-MORE-THAN-16', 'B-OF-MORE-THAN-1'),
  transactionBankReference: name('B1', 'B3'),
  transactionId: name('T1', 'T2'),
  uetr: name('U1', 'U2'),
  /** Another kind of message that has told of it before. */
  before: fc.constantFrom(null, ...FORMATS),
});
type Said = typeof said extends fc.Arbitrary<infer T> ? T : never;

function lineOf(each: Said): IncomingLine {
  const { format, bookedOn, valuedOn, iban, text, e2e, before, ...names } = each;
  const isCamt = format.startsWith('camt');
  const line: StatementLine = {
    entry: 0,
    detail: 0,
    bookedOn,
    valuedOn,
    amount: 100n,
    amountText: null,
    currency: 'EUR',
    direction: 'in',
    status: 'booked',
    kind: 'payment',
    reversal: false,
    returned: false,
    counterparty: {
      name: null,
      account: iban,
      accountType: iban === null ? null : 'iban',
      bic: null,
    },
    references: [],
    endToEndId: e2e,
    bankReference: null,
    text,
    identifiers: {
      ...NO_IDENTIFIERS,
      ...names,
      transactionId: isCamt ? names.transactionId : null,
    },
  };
  const told = incomingLine(line, format);
  if (before === null) return told;
  const { identifiers } = incomingLine(line, before);
  return { ...told, identifiers: { ...identifiers, ...told.identifiers } };
}

const COLUMNS = `n integer, key text, booked_on date, valued_on date, identifiers json, counterparty_account text,
  counterparty_account_type text, end_to_end_id text, named_reference text`;

const rowOf = (line: IncomingLine, n: number) => {
  const told = reportedColumns(line);
  return {
    n,
    key: lineKey(line),
    booked_on: told.bookedOn,
    valued_on: told.valuedOn,
    identifiers: told.identifiers,
    counterparty_account: told.counterpartyAccount,
    counterparty_account_type: told.counterpartyAccountType,
    end_to_end_id: told.endToEndId,
    named_reference: namedReferenceOf(line),
  };
};

/** Answers by the number of a pair. */
type Answers = { n: number; answer: boolean | null }[];

it(
  'one rule says which lines may be one booking, in memory and in the database',
  async () => {
    const app = await TestApp.start();
    let [one, two] = [0, 0];
    const pairs = fc.array(fc.tuple(said, said), { minLength: PAIRS, maxLength: PAIRS });
    await fc.assert(
      fc.asyncProperty(pairs, fc.constantFrom(...FORMATS), async (drawn, format) => {
        // The database asks for the lines of one file.
        const lines = drawn.map(([mine, theirs]) => ({
          there: lineOf(theirs),
          mine: lineOf({ ...mine, format, before: null }),
          known: lineOf(mine),
        }));
        const there = JSON.stringify(lines.map((line, n) => rowOf(line.there, n)));
        const wanted = rivalsWanted(
          lines.map(({ mine }) => mine),
          { format },
        );
        const ofFile: Answers = await select(
          app,
          `SELECT w.n, ${IS_NEAR} AND ${MAY_BE.replaceAll('$9', '$3')} AS answer
          FROM (SELECT *, ${IS_WANTED_REFERRED} FROM json_to_recordset($1::json) w (${WANTED})) w
          JOIN json_to_recordset($2::json) l (${COLUMNS}) ON l.n = w.n ORDER BY w.n`,
          [JSON.stringify(wanted), there, nameIn(format)],
        );
        const ofKnown: Answers = await select(
          app,
          `SELECT w.n, ${IS_NEAR} AND ${MAY_BE_KNOWN} AS answer
          FROM (SELECT l.n, ${AS_WANTED} FROM json_to_recordset($1::json) l (${COLUMNS})) w
          JOIN json_to_recordset($2::json) l (${COLUMNS}) ON l.n = w.n ORDER BY w.n`,
          [JSON.stringify(lines.map(({ known }, n) => rowOf(known, n))), there],
        );
        for (const [n, pair] of lines.entries()) {
          const answers = [
            [pair.mine, ofFile[n]!.answer === true],
            [pair.known, ofKnown[n]!.answer === true],
          ] as const;
          for (const [line, answer] of answers) {
            // The database reads the days around only.
            const expected = mayBeSame(line, pair.there);
            expect([drawn[n], answer]).toEqual([drawn[n], expected]);
            expect(mayBeSame(pair.there, line)).toBe(expected);
            if (expected) one += 1;
            else two += 1;
          }
        }
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
    expect(Math.min(one, two)).toBeGreaterThan(RUNS * 10);
    await app.stop();
  },
  60_000 + RUNS * RUN_MS,
);

it('what payers write, leave out or change makes no two of one', () => {
  const words = fc.record({ text: said.map(({ text }) => text), e2e: said.map(({ e2e }) => e2e) });
  fc.assert(
    fc.property(said, said, words, words, (one, other, mine, theirs) => {
      // Without a word in common nothing joins what one kind of message dates differently.
      const silent = { text: null, e2e: null };
      const bare = mayBeSame(lineOf({ ...one, ...silent }), lineOf({ ...other, ...silent }));
      if (bare)
        expect(mayBeSame(lineOf({ ...one, ...mine }), lineOf({ ...other, ...theirs }))).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
