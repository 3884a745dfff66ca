import { describe, expect, it } from '@jest/globals';
import { BankImportService } from '../src/bank/import/import.service.js';
import { ManualReconciliation } from '../src/bank/matching/manual-reconciliation.service.js';
import { MatcherService } from '../src/bank/matching/matcher.service.js';
import { PossibleDuplicatesService } from '../src/bank/matching/possible-duplicates.service.js';
import type { BankLine } from '../src/database/bank/lines/bank-line.entity.js';
import { camtFile, mt940File, type WrittenEntry } from './support/bank-file.js';
import { collectionAccount, lineOf, OWN_ACCOUNT, told } from './support/bank-lines.js';
import type { OrderJson } from './support/client.js';
import { select } from './support/facts.js';
import { confirmNoTotals } from './support/no-totals.js';
import { expectHealthy } from './support/payout-invariants.js';
import { person } from './support/people.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop();
await collectionAccount(app);
await confirmNoTotals(app);
const reconciliation = app.get(ManualReconciliation);
const duplicates = app.get(PossibleDuplicatesService);
const operator = await person(app, 'operator');
const day = app.clock.now().toISOString().slice(0, 10);

let files = 0;
let amounts = 1_000;

async function bring(text: string): Promise<void> {
  const options = { mode: 'test', name: 'a.txt', source: 'cli' } as const;
  const file = { bytes: Buffer.from(text) };
  const result = await app.get(BankImportService).import(file, options);
  expect(result).toMatchObject({ result: 'imported' });
  await app.get(MatcherService).matchNew();
}

const statement = (entry: WrittenEntry) => ({
  account: OWN_ACCOUNT,
  day,
  id: `S${++files}`,
  entries: [entry],
});

const paid = async (orders: readonly OrderJson[]): Promise<number> => {
  const read = await Promise.all(orders.map(({ txid }) => shop.read(txid)));
  return read.filter(({ body }) => body['status'] === 'paid').length;
};

/** Two payments of orders in one entry, and a credit of their sum that names nothing, each in a file of its own. */
async function payments() {
  const [a, b] = [(amounts += 100), (amounts += 100)];
  const orders = await Promise.all([a, b].map((amount) => shop.order({ amount })));
  const references = await Promise.all(orders.map((order) => told(app, shop, order)));
  const details = references.map((text, n) => ({ amount: [a, b][n]!, text }));
  const sum = a + b;
  return {
    orders,
    sum,
    batch: camtFile('054', statement({ amount: sum, details })),
    plain: mt940File(statement({ amount: sum, text: 'thank you' })),
  };
}

async function lineOfSum(amount: number): Promise<BankLine> {
  const found = await select<{ id: string }>(app, 'SELECT id FROM bank_lines WHERE amount = $1', [
    amount,
  ]);
  expect(found).toHaveLength(1);
  return (await lineOf(app, found[0]!.id))!;
}

describe('a credit that happens to come to the sum of payments', () => {
  it.each([
    ['after', ['batch', 'plain']],
    ['before', ['plain', 'batch']],
  ] as const)('is no total because of that, told %s them: a person says', async (_, order) => {
    const told = await payments();
    for (const each of order) await bring(told[each]);
    expect(await paid(told.orders)).toBe(2);
    const line = await lineOfSum(told.sum);
    expect(line).toMatchObject({ state: 'suggested', reason: 'possible_total', parentId: null });
    expect(await duplicates.anotherBooking('test', line.id, operator.id)).toBe('done');
    await app.get(MatcherService).matchNew();
    const real = await shop.order({ amount: told.sum });
    const part = { merchantId: shop.merchantId, txid: real.txid, amount: told.sum };
    expect(await reconciliation.matchManually('test', line.id, [part], operator.id, 'Seen')).toBe(
      'matched',
    );
    expect(await paid([...told.orders, real])).toBe(3);
    await expectHealthy(app);
  });

  it('counts no more once a person has said that it is their total', async () => {
    const told = await payments();
    await bring(told.batch);
    await bring(told.plain);
    const line = await lineOfSum(told.sum);
    expect(await duplicates.sameBooking('test', line.id)).toBe('done');
    expect(await lineOf(app, line.id)).toMatchObject({ state: 'superseded', reason: 'total' });
    expect(await paid(told.orders)).toBe(2);
    await expectHealthy(app);
  });

  it('keeps the payments waiting where it has paid for something already', async () => {
    const told = await payments();
    await bring(told.plain);
    const line = await lineOfSum(told.sum);
    const real = await shop.order({ amount: told.sum });
    const part = { merchantId: shop.merchantId, txid: real.txid, amount: told.sum };
    expect(await reconciliation.matchManually('test', line.id, [part], operator.id, 'Seen')).toBe(
      'matched',
    );
    await bring(told.batch);
    expect(await paid([...told.orders, real])).toBe(1);
    const [one, other] = await select<{ id: string; reason: string }>(
      app,
      'SELECT id, reason FROM bank_lines WHERE duplicate_of = $1 ORDER BY id',
      [line.id],
    );
    expect([one!.reason, other!.reason]).toEqual(['possible_duplicate', 'possible_duplicate']);
    await duplicates.anotherBooking('test', one!.id, operator.id);
    await duplicates.anotherBooking('test', other!.id, operator.id);
    await app.get(MatcherService).matchNew();
    expect(await paid([...told.orders, real])).toBe(3);
    await expectHealthy(app);
  });

  it('leaves a payment alone that was merged with another line, also when that is undone', async () => {
    const [a, b] = [(amounts += 100), (amounts += 100)];
    const order = await shop.order({ amount: a });
    const text = await told(app, shop, order);
    const e2e = `E${b}`;
    await bring(camtFile('052', statement({ amount: b, e2e, acctSvcrRef: `Q${b}` })));
    const details = [
      { amount: a, text },
      { amount: b, e2e, text: 'other words', bankReference: `B${b}` },
    ];
    await bring(camtFile('054', statement({ amount: a + b, details })));
    const [merged] = await select<{ id: string }>(
      app,
      'SELECT id FROM bank_lines WHERE amount = $1 AND duplicate_of IS NOT NULL',
      [b],
    );
    expect(await duplicates.sameBooking('test', merged!.id)).toBe('done');
    await bring(mt940File(statement({ amount: a + b, text: 'thank you' })));
    const total = await lineOfSum(a + b);
    expect(await duplicates.sameBooking('test', total.id)).toBe('done');
    expect(await lineOf(app, total.id)).toMatchObject({ reason: 'total' });
    const same = { state: 'superseded', reason: 'same_booking' };
    expect(await lineOf(app, merged!.id)).toMatchObject(same);
    expect(await duplicates.undoSameBooking('test', total.id)).toBe('done');
    expect(await lineOf(app, merged!.id)).toMatchObject(same);
    expect(await paid([order])).toBe(1);
    await expectHealthy(app);
  });
});

describe('the totals of two batches of one sum', () => {
  it('are compared with both batches, one after the other', async () => {
    const [a, b] = [(amounts += 100), (amounts += 100)];
    const prices = [a, b, a + 1, b - 1];
    const orders = await Promise.all(prices.map((amount) => shop.order({ amount })));
    const texts = await Promise.all(orders.map((order) => told(app, shop, order)));
    const part = (n: number) => ({ amount: prices[n]!, text: texts[n]! });
    const sum = a + b;
    const batch = (...parts: number[]) => ({ amount: sum, details: parts.map(part) });
    for (const entry of [batch(0, 1), batch(2, 3)]) await bring(camtFile('054', statement(entry)));
    const totals = [
      { amount: sum, text: 'thank you' },
      { amount: sum, text: texts[2]! },
    ];
    await bring(mt940File({ ...statement(totals[0]!), entries: totals }));
    const found = await select<{ id: string; text: string }>(
      app,
      'SELECT id, text FROM bank_lines WHERE amount = $1 ORDER BY text',
      [sum],
    );
    const total = found.find(({ text }) => text === texts[2])!;
    const asked: string[] = [];
    for (let n = 0; n < 2; n++) {
      const [line] = await select<{ text: string }>(
        app,
        `SELECT o.text FROM bank_lines l JOIN bank_lines o ON o.id = l.duplicate_of WHERE l.id = $1`,
        [total.id],
      );
      asked.push(line!.text);
      await duplicates.anotherBooking('test', total.id, operator.id);
    }
    expect(asked.toSorted()).toEqual([texts[0]!, texts[2]!].toSorted());
    await app.get(MatcherService).matchNew();
    expect(await paid(orders)).toBe(4);
  });
});
