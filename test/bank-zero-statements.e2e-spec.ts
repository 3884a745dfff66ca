import { describe, expect, it } from '@jest/globals';
import { BankImportService } from '../src/bank/import/import.service.js';
import {
  camtFile,
  mt940File,
  type WrittenEntry,
  type WrittenStatement,
} from './support/bank-file.js';
import { collectionAccount, told } from './support/bank-lines.js';
import { select } from './support/facts.js';
import { expectHealthy } from './support/payout-invariants.js';
import { confirmNoTotals } from './support/no-totals.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop();
await confirmNoTotals(app);
const dayOff = (days: number): string =>
  new Date(app.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10);

const AMOUNT = 4_000;
const RENT: WrittenEntry = { amount: AMOUNT, direction: 'out', text: 'Rent' };
const WRITERS = {
  'camt.053': (statement: WrittenStatement) => camtFile('053', statement),
  MT940: mt940File,
} as const;
type Format = keyof typeof WRITERS;
const FORMATS = Object.keys(WRITERS) as Format[];

let made = 0;

/** An account of its own, and an order that two equal transfers pay. */
async function opened() {
  const account = `ZERO-${(made += 1)}`;
  await collectionAccount(app, account);
  const order = await shop.order({ amount: 2 * AMOUNT });
  const text = await told(app, shop, order);
  const paid: WrittenEntry = { amount: AMOUNT, text, payer: { iban: 'NL91ABNA0417164300' } };
  return { account, order, paid };
}
type Opened = Awaited<ReturnType<typeof opened>>;

type Written = Omit<WrittenStatement, 'account' | 'id'>;

async function bring(format: Format, { account }: Opened, statement: Written): Promise<void> {
  const text = WRITERS[format]({ account, id: `S${(made += 1)}`, ...statement });
  const options = { mode: 'test', name: 'a.txt', source: 'cli' } as const;
  const result = await app.get(BankImportService).import({ bytes: Buffer.from(text) }, options);
  expect(result).toMatchObject({ result: 'imported' });
}

interface End {
  readonly received: number;
  readonly lines: number;
  readonly asked: number;
}

async function endOf({ account, order }: Opened): Promise<End> {
  const [counts] = await select<Omit<End, 'received'>>(
    app,
    `SELECT count(*)::int AS lines, (count(*) FILTER (WHERE reason = 'possible_duplicate'))::int AS asked
     FROM bank_lines WHERE account = $1 AND direction = 'in' AND amount = $2`,
    [account, AMOUNT],
  );
  const { body } = await shop.read(order.txid);
  return { received: body['amountReceived'] as number, ...counts! };
}

const TWO: End = { received: 2 * AMOUNT, lines: 2, asked: 0 };
const ASKED: End = { received: AMOUNT, lines: 2, asked: 1 };
const ONE: End = { received: AMOUNT, lines: 1, asked: 0 };

interface Pair {
  readonly called: string;
  readonly end: End;
  readonly write: (paid: WrittenEntry) => readonly [Written, Written];
}

const on = (day: number, sequence: string, opening: number, ...entries: WrittenEntry[]) => ({
  day: dayOff(day),
  sequence,
  opening,
  entries: entries.map((entry) => ({ bookedOn: dayOff(day), ...entry })),
});

const PAIRS: readonly Pair[] = [
  {
    called: 'pages of one number, the second comes to 0',
    end: TWO,
    write: (paid) => [on(0, '5/1', 0, paid), on(0, '5/2', AMOUNT, paid, RENT)],
  },
  {
    called: 'pages of one number, both come to 0',
    end: TWO,
    write: (paid) => [on(0, '5/1', 0, paid, RENT), on(0, '5/2', 0, paid, RENT)],
  },
  {
    called: 'numbers in a row of one day, the second comes to 0',
    end: TWO,
    write: (paid) => [on(0, '5', 0, paid), on(0, '6', AMOUNT, paid, RENT)],
  },
  {
    called: 'numbers in a row of one day, the first comes to 0',
    end: TWO,
    write: (paid) => [on(0, '5', 0, paid, RENT), on(0, '6', 0, paid)],
  },
  {
    called: 'numbers in a row of days that follow, both come to 0',
    end: TWO,
    write: (paid) => {
      const named = { ...paid, e2e: 'RENT' };
      return [on(-1, '5', 0, { ...named, valuedOn: dayOff(0) }, RENT), on(0, '6', 0, named, RENT)];
    },
  },
  {
    called: 'days that follow, but not their numbers, both come to 0',
    end: ASKED,
    write: (paid) => {
      const named = { ...paid, e2e: 'RENT' };
      return [on(-1, '5', 0, { ...named, valuedOn: dayOff(0) }, RENT), on(0, '9', 0, named, RENT)];
    },
  },
  {
    called: 'numbers in a row of one day that comes to 0: it may be told again',
    end: ASKED,
    write: (paid) => [on(0, '5', 0, paid, RENT), on(0, '6', 0, paid, RENT)],
  },
  {
    called: 'parts of one day without numbers in a row',
    end: ASKED,
    write: (paid) => [on(0, '5', 0, paid), on(0, '9', AMOUNT, paid, RENT)],
  },
  {
    called: 'the same day told again',
    end: ONE,
    write: (paid) => [on(0, '5', 0, paid, RENT), on(0, '5', 0, RENT, paid)],
  },
];

describe('statements of which one comes to 0', () => {
  const CASES = PAIRS.flatMap((pair) =>
    FORMATS.flatMap((format) => [true, false].map((inOrder) => ({ ...pair, format, inOrder }))),
  );

  it.each(CASES)(
    '$called: $format, in order: $inOrder',
    async ({ write, end, format, inOrder }) => {
      const opening = await opened();
      const both = write(opening.paid);
      for (const each of inOrder ? both : both.toReversed()) await bring(format, opening, each);
      expect(await endOf(opening)).toEqual(end);
      await expectHealthy(app);
    },
  );
});
