import { expect, it } from '@jest/globals';
import { BankImportService } from '../src/bank/import/import.service.js';
import { MatcherService } from '../src/bank/matching/matcher.service.js';
import { PossibleDuplicatesService } from '../src/bank/matching/possible-duplicates.service.js';
import { brokenIn, Doctor } from '../src/database/doctor/doctor.js';
import { camtFile, mt940File, type WrittenEntry } from './support/bank-file.js';
import { collectionAccount, told } from './support/bank-lines.js';
import { select } from './support/facts.js';
import { ibanOf } from './support/payer-text.js';
import { confirmNoTotals } from './support/no-totals.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop();
await confirmNoTotals(app);
await collectionAccount(app);
const duplicates = app.get(PossibleDuplicatesService);
const DAY = app.clock.now().toISOString().slice(0, 10);
const DAY_BEFORE = '2025-12-31';
let played = 0;

type Kind = 'mt940' | '052' | '053' | '054';

/** Whether each of the three files has the bank's reference. */
const REFERENCES = [
  [false, false, false],
  [false, true, true],
  [false, true, false],
  [false, false, true],
  [true, false, true],
] as const;
/** In which order the files are imported: a total with a text, the total again, its payments. */
const ORDERS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [2, 0, 1],
] as const;

/** What the second total says besides. */
const MORE: readonly Partial<WrittenEntry>[] = [
  {},
  { batchOf: 2 },
  { bookedOn: DAY_BEFORE, valuedOn: DAY },
];

/** Answers “Same booking” to each question, the newest line first. */
async function answerAll(account: string): Promise<void> {
  for (let round = 0; round < 8; round++) {
    await app.get(MatcherService).matchNew();
    const [line] = await select<{ id: string }>(
      app,
      `SELECT id FROM bank_lines WHERE account = $1 AND duplicate_of IS NOT NULL AND marked_distinct_by IS NULL
         AND state IN ('suggested', 'unmatched') AND status = 'booked' ORDER BY id DESC LIMIT 1`,
      [account],
    );
    if (!line || (await duplicates.sameBooking('test', line.id)) !== 'done') break;
  }
  await app.get(MatcherService).matchNew();
}

interface Story {
  readonly kinds: readonly [Kind, Kind, Kind];
  readonly references: (typeof REFERENCES)[number];
  readonly order: (typeof ORDERS)[number];
  /** Whether questions are answered after each file, or after the last. */
  readonly isEarly: boolean;
  readonly more: (typeof MORE)[number];
}

/** @returns the money that came, and what the orders received of it */
async function play({ kinds, references, order, isEarly, more }: Story) {
  played += 1;
  const account = ibanOf(played);
  await collectionAccount(app, account);
  const parts = [1_000_003 + 1_001 * played, 1_000_004 + 1_001 * played];
  const amount = parts[0]! + parts[1]!;
  // The first order costs more than the total, so that its text alone raises no doubt.
  const orders = await Promise.all(
    parts.map((part, n) => shop.order({ amount: n ? part : 4 * part })),
  );
  const texts = await Promise.all(orders.map((each) => told(app, shop, each)));
  const details = parts.map((part, n) => ({ amount: part, text: texts[n]!, e2e: `E${part}` }));
  const entries: WrittenEntry[] = [
    { amount, text: texts[0]! },
    { amount, ...more },
    { amount, details },
  ];
  const files = entries.map((entry, n) => {
    const known = references[n] ? { ...entry, acctSvcrRef: `REF${amount}` } : entry;
    const statement = { account, day: DAY, id: `S${n}`, entries: [known] };
    const kind = kinds[n]!;
    return kind === 'mt940' ? mt940File(statement) : camtFile(kind, statement);
  });
  for (const at of order) {
    const options = { mode: 'test', name: 'a.txt', source: 'folder' } as const;
    await app.get(BankImportService).import({ bytes: Buffer.from(files[at]!) }, options);
    if (isEarly) await answerAll(account);
  }
  await answerAll(account);
  const [row] = await select<{ paid: number }>(
    app,
    `SELECT coalesce(sum(a.amount), 0)::int AS paid FROM bank_allocations a JOIN bank_lines l ON l.id = a.line_id
     WHERE a.undone_at IS NULL AND l.account = $1`,
    [account],
  );
  return { amount, paid: row!.paid };
}

it.each<readonly [Kind, Kind, Kind]>([
  ['mt940', 'mt940', '054'],
  ['mt940', '053', '054'],
  ['mt940', '053', '053'],
  ['053', 'mt940', '054'],
  ['052', '053', '054'],
  ['054', '053', '052'],
])(
  'a total counts once whenever an operator answers “Same booking”: %s with a text, %s, payments in %s',
  async (...kinds) => {
    const twice: string[] = [];
    let n = 0;
    for (const references of REFERENCES)
      for (const order of ORDERS)
        for (const isEarly of [true, false]) {
          const more = MORE[n++ % MORE.length]!;
          const { amount, paid } = await play({ kinds, references, order, isEarly, more });
          if (paid > amount) twice.push(JSON.stringify({ references, order, isEarly, more }));
        }
    expect(twice).toEqual([]);
    expect(brokenIn(await app.get(Doctor).examine({ overdue: false }))).toEqual([]);
  },
  300_000,
);
