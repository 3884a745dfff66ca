import { expect, it } from '@jest/globals';
import { BankImportService } from '../src/bank/import/import.service.js';
import { MatcherService } from '../src/bank/matching/matcher.service.js';
import { PossibleDuplicatesService } from '../src/bank/matching/possible-duplicates.service.js';
import { brokenIn, Doctor } from '../src/database/doctor/doctor.js';
import { camtFile, mt940File, type WrittenEntry } from './support/bank-file.js';
import { collectionAccount, OWN_ACCOUNT, told } from './support/bank-lines.js';
import { select } from './support/facts.js';
import { person } from './support/people.js';
import { confirmNoTotals } from './support/no-totals.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop();
await confirmNoTotals(app);
await collectionAccount(app);
const operator = await person(app, 'operator');
const helper = await person(app, 'operator');
const duplicates = app.get(PossibleDuplicatesService);
let statements = 0;

async function bring(kind: '052' | 'mt', ...entries: WrittenEntry[]): Promise<void> {
  app.clock.advance(60_000);
  const statement = { account: OWN_ACCOUNT, day: '2025-12-30', id: `S${++statements}`, entries };
  const bytes = Buffer.from(kind === 'mt' ? mt940File(statement) : camtFile(kind, statement));
  const options = { mode: 'test', name: `f${statements}`, source: 'cli' } as const;
  await app.get(BankImportService).import({ bytes }, options);
}

interface Question {
  readonly id: string;
  readonly text: string | null;
  readonly otherText: string | null;
}

const questions = (endToEndId: string) =>
  select<Question>(
    app,
    `SELECT l.id, l.text, o.text AS "otherText" FROM bank_lines l JOIN bank_lines o ON o.id = l.duplicate_of
     WHERE l.end_to_end_id = $1 AND l.marked_distinct_by IS NULL AND l.state <> 'superseded' ORDER BY l.id`,
    [endToEndId],
  );

/** Two transfers of one payer for an order of twice their amount: one names it, the other nothing. Two banks' files. */
async function reportedTwice() {
  // Of its own, so that lines of other tests are no candidates.
  const amount = 10_000 + statements;
  const order = await shop.order({ amount: 2 * amount });
  const text = await told(app, shop, order);
  const e2e = `E${order.txid.slice(0, 8)}`;
  const [named, other] = [
    { amount, text, e2e },
    { amount, e2e },
  ];
  await bring('052', { ...other, acctSvcrRef: 'X-1' }, { ...named, acctSvcrRef: 'A-1' });
  await bring('mt', { ...other, acctSvcrRef: 'X-9' }, { ...named, acctSvcrRef: 'B-7' });
  return { order, amount, e2e, text };
}

it.each(['first', 'last'] as const)(
  'compares a line with each booking that it may be, before it pays: the %s question first',
  async (which) => {
    const { order, amount, e2e } = await reportedTwice();
    const asked: string[] = [];
    for (let line; (line = (await questions(e2e)).at(which === 'first' ? 0 : -1));) {
      asked.push(line.id);
      if (line.text === line.otherText) await duplicates.sameBooking('test', line.id);
      else await duplicates.anotherBooking('test', line.id, operator.id);
      await app.get(MatcherService).matchNew();
    }
    expect(asked.length).toBeLessThanOrEqual(4);
    const { status, amountReceived } = (await shop.read(order.txid)).body;
    expect({ status, amountReceived }).toEqual({ status: 'open', amountReceived: amount });
    expect(brokenIn(await app.get(Doctor).examine({ overdue: false }))).toEqual([]);
  },
);

it('pays once an operator has told it apart from all of them, and asks again when that is undone', async () => {
  const { order, amount, e2e, text } = await reportedTwice();
  const [line] = (await questions(e2e)).filter((each) => each.text === text);
  const users = [operator, helper];
  const outcomes: string[] = [];
  for (const { id } of users) outcomes.push(await duplicates.anotherBooking('test', line!.id, id));
  expect(outcomes).toEqual(['asked_again', 'done']);
  await app.get(MatcherService).matchNew();
  expect((await shop.read(order.txid)).body).toMatchObject({ amountReceived: 2 * amount });
  // Both had a part in it.
  const hands = await select<{ id: string }>(
    app,
    `SELECT user_id AS id FROM money_hands WHERE txid = $1 AND act = 'marked_distinct'`,
    [order.txid],
  );
  expect(new Set(hands.map(({ id }) => id))).toEqual(new Set(users.map(({ id }) => id)));
  expect(await duplicates.undoAnotherBooking('test', line!.id)).toBe('used');
});

it('forgets what was said when it is undone before the line has paid', async () => {
  const { e2e, text } = await reportedTwice();
  const [line] = (await questions(e2e)).filter((each) => each.text === text);
  const separate = () => duplicates.anotherBooking('test', line!.id, operator.id);
  expect([await separate(), await separate()]).toEqual(['asked_again', 'done']);
  expect(await duplicates.undoAnotherBooking('test', line!.id)).toBe('done');
  expect([await separate(), await separate()]).toEqual(['asked_again', 'done']);
});
