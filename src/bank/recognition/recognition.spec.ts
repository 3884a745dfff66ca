import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { NO_IDENTIFIERS, type StatementLine } from '../../bank-statements/statement.js';
import { newTransferReference } from '../../common/money/creditor-reference.js';
import { type IncomingLine, incomingLine, type KnownBooking } from './incoming-line.js';
import { lineKey } from './line-key.js';
import { recognise } from './recognition.js';
import { isBorrowing } from './candidate-index.js';
import { SharedReferences } from './shared-references.js';
import { RepeatedStatements } from './repeated-statements.js';
import { areNotifiedTwice, type MatchScore, matchScore } from './same-booking.js';

const FORMATS = ['camt.053.001.08', 'camt.054.001.08', 'mt940'] as const;
const ORDERS = [newTransferReference('test'), newTransferReference('test')] as const;
const IBANS = ['NL91ABNA0417164300', 'DE71110220330123456789'] as const;

const name = (...names: string[]) => fc.constantFrom(null, null, ...names);

/** Some say as little as banks do, and some name all. */
const said = fc.record({
  day: fc.constantFrom('2026-11-20', '2026-11-21', null),
  iban: name(...IBANS),
  text: name('Rent', 'Invoice', ...ORDERS),
  e2e: name('E1', 'E2', ORDERS[0]),
  typed: fc.array(fc.constantFrom('Q1', 'Q2', ORDERS[1]), { maxLength: 2 }),
  entryReference: name('1', '2'),
  entryBankReference: name('B1', 'B2', 'B-OF-MORE-THAN-16', 'B-OF-MORE-THAN-1'),
  transactionBankReference: name('B1', 'B3'),
  transactionId: name('T1', 'T2'),
  instructionId: name('I1'),
  uetr: name('U1', 'U2'),
});
type Said = typeof said extends fc.Arbitrary<infer T> ? T : never;

function lineOf({ day, iban, text, e2e, typed, ...names }: Said, n: number, format: string) {
  const line: StatementLine = {
    entry: n,
    detail: 0,
    bookedOn: day,
    valuedOn: day,
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
    references: typed.map((value) => ({ value, type: 'SCOR' })),
    endToEndId: e2e,
    bankReference: null,
    text,
    identifiers: { ...NO_IDENTIFIERS, ...names },
  };
  return incomingLine(line, format);
}

/** A booking that is there, as far as it is recognised. */
const knownOf = (line: IncomingLine, n: number): KnownBooking => ({
  ...line,
  line: {
    id: `k${n}`,
    key: lineKey(line),
    status: 'booked',
    statements: ['before'],
    duplicateOf: null,
    reason: null,
    batchKey: null,
    unproven: null,
  } as unknown as KnownBooking['line'],
});

function sharedBy(lines: readonly IncomingLine[]): SharedReferences {
  const shared = new SharedReferences();
  for (const line of lines) shared.add(line);
  return shared;
}

const fileOf = (lines: readonly IncomingLine[]) => ({
  shared: sharedBy(lines),
  repeated: new RepeatedStatements(),
});

const STORING = { statementId: 'now', apart: [] };

describe('bookings that are recognised', () => {
  const format = fc.constantFrom(...FORMATS);
  const some = fc.array(said, { minLength: 1, maxLength: 12 });

  it('are likely, each is taken once, and no line is left beside one that it could be', async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(some, some, format, format, async (before, now, first, second) => {
        const known = before.map((each, n) => knownOf(lineOf(each, n, first), n));
        const lines = now.map((each, n) => lineOf(each, n, second));
        const rules = { weakest: 1 as MatchScore, isTotal: () => false, ...fileOf(lines) };
        const storing = { ...STORING, format: second };
        const recognised = await recognise(lines, known, storing, rules);
        const isShared = rules.shared.with(known);
        const taken = [...recognised.known.values()];
        expect(new Set(taken).size).toBe(taken.length);
        for (const [line, booking] of recognised.known)
          expect(matchScore(line, booking)).toBeGreaterThan(0);
        const left = lines.filter((line) => !recognised.known.has(line));
        const free = known.filter((booking) => !taken.includes(booking));
        for (const line of left)
          for (const booking of free) {
            // One without a day is only one without a day, unless a reference says more.
            const isFound = matchScore(line, booking) >= 3 || line.bookedOn !== null;
            if (areNotifiedTwice(line, booking)) continue;
            if (isFound && !isBorrowing(line, booking, isShared(line)))
              expect(matchScore(line, booking)).toBe(0);
          }
        found += taken.length;
      }),
      { numRuns: 2_000 },
    );
    expect(found).toBeGreaterThan(1_000);
  });
});

describe('thousands of bookings of one amount and day', () => {
  const MANY = 4_000;
  const NOTHING: Said = {
    day: '2026-11-20',
    iban: null,
    text: null,
    e2e: null,
    typed: [],
    entryReference: null,
    entryBankReference: null,
    transactionBankReference: null,
    transactionId: null,
    instructionId: null,
    uetr: null,
  };
  const WAYS: Readonly<Record<string, (file: number, n: number) => Partial<Said>>> = {
    'other texts': (file, n) => ({ text: `${file} for ${n}` }),
    'texts from the last on': (file, n) => ({ text: `for ${file ? MANY - 1 - n : n}` }),
    'references of payers from the last on': (file, n) => ({
      typed: [`Q${file ? MANY - 1 - n : n}`],
    }),
    'end-to-end ids from the last on, below one entry': (file, n) => ({
      entryBankReference: 'ENTRY',
      e2e: `E${file ? MANY - 1 - n : n}`,
    }),
    'other transaction ids': (file, n) => ({ transactionId: `${file} ${n}` }),
    'other end-to-end ids below one entry': (file, n) => ({
      entryBankReference: 'ENTRY',
      e2e: `${file} ${n}`,
    }),
    'an end-to-end id of all': (file, n) => ({ e2e: 'RENT', entryBankReference: `${file} ${n}` }),
  };

  it.each(Object.entries(WAYS))('are each looked at a few times: %s', async (_, say) => {
    let looks = 0;
    const line = (file: number, n: number) =>
      lineOf({ ...NOTHING, ...say(file, n) }, n, FORMATS[file]!);
    const known = Array.from({ length: MANY }, (_each, n) => {
      const booking = knownOf(line(0, n), n);
      const { identifiers } = booking;
      return Object.defineProperty({ ...booking }, 'identifiers', {
        get: () => {
          looks += 1;
          return identifiers;
        },
      });
    });
    const lines = Array.from({ length: MANY }, (_each, n) => line(1, n));
    const rules = { weakest: 1 as MatchScore, isTotal: () => false, ...fileOf(lines) };
    await recognise(lines, known, { ...STORING, format: FORMATS[1] }, rules);
    expect(looks).toBeLessThan(MANY * 2_000);
  });
});
