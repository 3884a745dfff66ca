import { expect, it } from '@jest/globals';
import { BankImportService } from '../src/bank/import/import.service.js';
import { ManualReconciliation } from '../src/bank/matching/manual-reconciliation.service.js';
import { MatcherService } from '../src/bank/matching/matcher.service.js';
import { PossibleDuplicatesService } from '../src/bank/matching/possible-duplicates.service.js';
import { camtFile, csvFile, csvProfileOf, type WrittenEntry } from './support/bank-file.js';
import { collectionAccount, lineOf, OWN_ACCOUNT, told } from './support/bank-lines.js';
import { select } from './support/facts.js';
import { confirmNoTotals } from './support/no-totals.js';
import { expectHealthy } from './support/payout-invariants.js';
import { person } from './support/people.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop();
await collectionAccount(app);
await confirmNoTotals(app);
const operator = await person(app, 'operator');
const duplicates = app.get(PossibleDuplicatesService);
const AMOUNT = 10_000;
let files = 0;

async function bring(format: 'csv' | '052' | '054', ...entries: WrittenEntry[]): Promise<void> {
  app.clock.advance(60_000);
  const statement = { account: OWN_ACCOUNT, day: '2025-12-30', id: `S${++files}`, entries };
  const profile = format === 'csv' ? { profile: csvProfileOf(OWN_ACCOUNT) } : {};
  const text =
    format === 'csv' ? csvFile({ ...statement, opening: 9_000 }) : camtFile(format, statement);
  const options = { mode: 'test', name: `f${files}`, source: 'cli', ...profile } as const;
  await app.get(BankImportService).import({ bytes: Buffer.from(text) }, options);
}

const idOf = async (rule: string): Promise<string> => {
  const sql = `SELECT id FROM bank_lines WHERE amount = $1 AND ${rule}`;
  return (await select<{ id: string }>(app, sql, [AMOUNT]))[0]!.id;
};
const other = (amount: number, text: string) => ({ amount, text, e2e: text });

it('never merges a line with one that was merged with it', async () => {
  const order = await shop.order({ amount: AMOUNT });
  const text = await told(app, shop, order);
  const booking = { amount: AMOUNT, acctSvcrRef: 'A1' };
  await bring('csv', other(7, 'x'), booking, other(9, 'y'));
  const first = await idOf('duplicate_of IS NULL');
  await bring('052', { amount: AMOUNT, text, acctSvcrRef: 'B1' });
  const second = await idOf('duplicate_of IS NOT NULL');
  // A mistake: both are one booking.
  expect(await duplicates.anotherBooking('test', second, operator.id)).toBe('done');
  await app.get(MatcherService).matchNew();
  // The first line gets its text, may be the second one, and is merged with it.
  await bring('054', { ...booking, text });
  expect(await lineOf(app, first)).toMatchObject({ duplicateOf: second });
  expect(await duplicates.sameBooking('test', first)).toBe('done');
  // No other line can be merged with the one that was.
  const [third] = await select<{ id: string }>(
    app,
    `UPDATE bank_lines SET duplicate_of = $1, state = 'suggested' WHERE amount = 7 RETURNING id`,
    [first],
  ).then((rows) => rows.flat() as { id: string }[]);
  expect(await duplicates.sameBooking('test', third!.id)).toBe('not_possible');
  await select(app, `UPDATE bank_lines SET duplicate_of = NULL WHERE amount = 7`);
  // The operator corrects the mistake in the wrong order.
  const [allocation] = await select<{ merchantId: string; paymentId: string }>(
    app,
    `SELECT merchant_id AS "merchantId", payment_id AS "paymentId" FROM bank_allocations WHERE line_id = $1`,
    [second],
  );
  expect(await app.get(ManualReconciliation).undo('test', allocation!)).toBe('taken_back');
  expect(await duplicates.undoAnotherBooking('test', second)).toBe('done');
  expect(await duplicates.sameBooking('test', second)).toBe('not_possible');
  await app.get(MatcherService).matchNew();
  expect(await lineOf(app, first)).toMatchObject({ state: 'superseded' });
  expect(await lineOf(app, second)).toMatchObject({ duplicateOf: null, state: 'matched' });
  expect((await shop.read(order.txid)).body).toMatchObject({
    status: 'paid',
    amountReceived: AMOUNT,
  });
  await expectHealthy(app);
});
