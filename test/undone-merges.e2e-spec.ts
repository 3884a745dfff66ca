import { describe, expect, it } from '@jest/globals';
import { BankImportService } from '../src/bank/import/import.service.js';
import { ManualReconciliation } from '../src/bank/matching/manual-reconciliation.service.js';
import { MatcherService } from '../src/bank/matching/matcher.service.js';
import { PossibleDuplicatesService } from '../src/bank/matching/possible-duplicates.service.js';
import { camtFile, type WrittenEntry } from './support/bank-file.js';
import {
  allocationsOf,
  bookedLine,
  collectionAccount,
  lineOf,
  OWN_ACCOUNT,
  told,
} from './support/bank-lines.js';
import { select } from './support/facts.js';
import { expectHealthy } from './support/payout-invariants.js';
import { ibanOf } from './support/payer-text.js';
import { person } from './support/people.js';
import { rounds } from './support/race.js';
import { confirmNoTotals } from './support/no-totals.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop();
await confirmNoTotals(app);
await collectionAccount(app);
const duplicates = app.get(PossibleDuplicatesService);
const operator = await person(app, 'operator');
const day = app.clock.now().toISOString().slice(0, 10);
const matching = () => app.get(MatcherService).matchNew();

let files = 0;
let amounts = 1_000;

async function bring(message: '053' | '054', ...entries: WrittenEntry[]): Promise<void> {
  const statement = { account: OWN_ACCOUNT, day, id: `S${++files}`, entries };
  const options = { mode: 'test', name: 'a.xml', source: 'cli' } as const;
  const bytes = Buffer.from(camtFile(message, statement));
  await app.get(BankImportService).import({ bytes }, options);
  await matching();
}

/** What banks and payers said of a line, where it was seen, and what became of it. */
async function stateOf(id: string) {
  const { lookedAt: _, ...line } = (await lineOf(app, id))!;
  const sql = 'SELECT statement_id, entry FROM bank_line_places WHERE line_id = $1 ORDER BY 1, 2';
  return { line, places: await select(app, sql, [id]) };
}

/** Two orders of one amount, and two bookings that may be one: each of them names one of the orders. */
async function alike() {
  const amount = (amounts += 100);
  const orders = [await shop.order({ amount }), await shop.order({ amount })] as const;
  await bring('054', { amount, text: await told(app, shop, orders[0]) });
  await bring('053', { amount, text: await told(app, shop, orders[1]) });
  const sql = `SELECT id, duplicate_of AS other FROM bank_lines
    WHERE amount = $1 AND duplicate_of IS NOT NULL`;
  const [found] = await select<{ id: string; other: string }>(app, sql, [amount]);
  return { ...found!, amount, orders };
}

const statusOf = async ({ txid }: { readonly txid: string }) => (await shop.read(txid)).body.status;

describe('a line that was called the same booking, and is not', () => {
  it('waits again as if nobody had said so, and pays once it is told apart', async () => {
    const { id, other, orders } = await alike();
    const before = [await stateOf(id), await stateOf(other)];
    expect(await duplicates.sameBooking('test', id)).toBe('done');
    expect(await stateOf(id)).not.toEqual(before[0]);
    expect(await duplicates.undoSameBooking('test', id)).toBe('done');
    await matching();
    expect([await stateOf(id), await stateOf(other)]).toEqual(before);
    expect(await duplicates.undoSameBooking('test', id)).toBe('not_possible');
    expect(await duplicates.anotherBooking('test', id, operator.id)).toBe('done');
    await matching();
    expect(await Promise.all(orders.map(statusOf))).toEqual(['paid', 'paid']);
    await expectHealthy(app);
  });

  /** The one that is there is not proven, and takes the words of the one that is. */
  async function proving() {
    const amount = (amounts += 100);
    const order = await shop.order({ amount });
    const text = await told(app, shop, order);
    const unproven = 'statement_not_balanced' as const;
    // Of a payer who has paid nothing else.
    const booking = { amount, counterpartyAccount: ibanOf(amount) };
    const words = { text: 'x', counterpartyName: 'Lena', unproven, lookedAt: app.clock.now() };
    const other = await bookedLine(app, { ...booking, ...words });
    const line = await bookedLine(app, { ...booking, text, duplicateOf: other.id });
    await matching();
    return { line, other, order };
  }

  it('may be what came since: nothing was compared with it', async () => {
    const amount = (amounts += 100);
    const order = await shop.order({ amount: 2 * amount });
    const text = await told(app, shop, order);
    const payments = ['E2E-1', 'E2E-2'].map((e2e) => ({ amount, text, e2e: `${e2e}-${amount}` }));
    for (const payment of payments) await bring('054', payment);
    const sql = 'SELECT id FROM bank_lines WHERE amount = $1 AND duplicate_of IS NOT NULL';
    const { id } = (await select<{ id: string }>(app, sql, [amount]))[0]!;
    expect(await duplicates.sameBooking('test', id)).toBe('done');
    app.clock.advance(1_000);
    await bring('053', ...payments);
    expect((await shop.read(order.txid)).body['amountReceived']).toBe(2 * amount);
    const newest = 'SELECT id FROM bank_lines WHERE amount = $1 ORDER BY created_at DESC LIMIT 1';
    const later = (await select<{ id: string }>(app, newest, [amount]))[0]!;
    expect(await duplicates.undoSameBooking('test', id)).toBe('done');
    await matching();
    expect(await lineOf(app, id)).toMatchObject({ duplicateOf: later.id, state: 'suggested' });
    expect(await duplicates.sameBooking('test', id)).toBe('done');
    expect((await shop.read(order.txid)).body['amountReceived']).toBe(2 * amount);
    await expectHealthy(app);
  });

  it('takes its words and its proof from the other one', async () => {
    const { line, other } = await proving();
    const before = await stateOf(other.id);
    await duplicates.sameBooking('test', line.id);
    expect(await lineOf(app, other.id)).toMatchObject({ text: line.text, unproven: null });
    expect(await duplicates.undoSameBooking('test', line.id)).toBe('done');
    await matching();
    expect(await stateOf(other.id)).toMatchObject({
      line: { text: 'x', counterpartyName: 'Lena', unproven: 'statement_not_balanced' },
      places: before.places,
    });
    await expectHealthy(app);
  });

  it('stays so while the other one has paid with that, also for the database', async () => {
    const { line, other, order } = await proving();
    await duplicates.sameBooking('test', line.id);
    await matching();
    expect(await statusOf(order)).toBe('paid');
    expect(await duplicates.undoSameBooking('test', line.id)).toBe('used');
    const forget = 'DELETE FROM bank_line_merges WHERE line_id = $1';
    await expect(select(app, forget, [line.id])).rejects.toThrow('nothing else proves');
    const sql = `SELECT merchant_id AS "merchantId", payment_id AS "paymentId"
      FROM bank_allocations WHERE line_id = $1`;
    const [paid] = await select<{ merchantId: string; paymentId: string }>(app, sql, [other.id]);
    expect(await app.get(ManualReconciliation).undo('test', paid!)).toBe('taken_back');
    expect(await duplicates.undoSameBooking('test', line.id)).toBe('done');
    await expectHealthy(app);
  });

  it('is undone in the order in which it was said', async () => {
    const first = await bookedLine(app, { amount: 777, lookedAt: app.clock.now() });
    const second = await bookedLine(app, { amount: 777, duplicateOf: first.id });
    const third = await bookedLine(app, { amount: 777, duplicateOf: second.id });
    await matching();
    await duplicates.sameBooking('test', third.id);
    await duplicates.sameBooking('test', second.id);
    expect(await duplicates.undoSameBooking('test', third.id)).toBe('not_possible');
    expect(await duplicates.undoSameBooking('test', second.id)).toBe('done');
    expect(await lineOf(app, third.id)).toMatchObject({ duplicateOf: second.id });
    expect(await duplicates.undoSameBooking('test', third.id)).toBe('done');
  });

  it('is undone once, or the other one pays with it, when all happens at once', async () => {
    await rounds(async () => {
      const { line, order } = await proving();
      await duplicates.sameBooking('test', line.id);
      const [one, other] = await Promise.all([
        duplicates.undoSameBooking('test', line.id),
        duplicates.undoSameBooking('test', line.id),
        matching(),
      ]);
      await matching();
      const undone = [one, other].filter((outcome) => outcome === 'done').length;
      expect([undone, await statusOf(order)]).toEqual(undone === 1 ? [1, 'open'] : [0, 'paid']);
    });
    await expectHealthy(app);
  });
});

describe('a line that was called another booking, and may be the same', () => {
  /** It pays by the reference that it names, once it is told apart. */
  async function markedDistinct() {
    const { id, other, orders } = await alike();
    const before = await stateOf(id);
    expect(await duplicates.undoAnotherBooking('test', id)).toBe('not_possible');
    expect(await duplicates.anotherBooking('test', id, operator.id)).toBe('done');
    return { id, other, before, order: orders[1] };
  }
  const undoMatch = async (lineId: string) => {
    const [allocation] = await allocationsOf(app, { id: lineId });
    expect(await app.get(ManualReconciliation).undo('test', allocation!)).toBe('taken_back');
  };

  it('may be it again as if nobody had said so, and is it once a person says so', async () => {
    const { id, other, before, order } = await markedDistinct();
    expect(await duplicates.undoAnotherBooking('live', id)).toBe('not_possible');
    expect(await duplicates.undoAnotherBooking('test', id)).toBe('done');
    await matching();
    expect(await stateOf(id)).toEqual(before);
    expect(await statusOf(order)).toBe('open');
    expect(await duplicates.undoAnotherBooking('test', id)).toBe('not_possible');
    expect(await duplicates.sameBooking('test', id)).toBe('done');
    expect(await lineOf(app, id)).toMatchObject({ state: 'superseded', duplicateOf: other });
    expect(await duplicates.undoAnotherBooking('test', id)).toBe('not_possible');
    await expectHealthy(app);
  });

  it('stays so while it has paid with that, also for the database', async () => {
    const { id, before, order } = await markedDistinct();
    await matching();
    expect(await statusOf(order)).toBe('paid');
    expect(await duplicates.undoAnotherBooking('test', id)).toBe('used');
    const forget = 'UPDATE bank_lines SET marked_distinct_by = NULL WHERE id = $1';
    await expect(select(app, forget, [id])).rejects.toThrow('has moved money counts');
    await undoMatch(id);
    expect(await duplicates.undoAnotherBooking('test', id)).toBe('done');
    await matching();
    expect(await stateOf(id)).toEqual(before);
    await expectHealthy(app);
  });

  it('stays ignored until it is reopened', async () => {
    const { id } = await markedDistinct();
    await matching();
    await undoMatch(id);
    const reconciliation = app.get(ManualReconciliation);
    expect(await reconciliation.ignore('test', id, 'Ours')).toBe('done');
    expect(await duplicates.undoAnotherBooking('test', id)).toBe('not_possible');
    expect(await reconciliation.reopen('test', id)).toBe('done');
    expect(await duplicates.undoAnotherBooking('test', id)).toBe('done');
  });

  it('is undone once, or pays, when all happens at once', async () => {
    await rounds(async () => {
      const { id, order } = await markedDistinct();
      const [one, other] = await Promise.all([
        duplicates.undoAnotherBooking('test', id),
        duplicates.undoAnotherBooking('test', id),
        matching(),
      ]);
      await matching();
      const undone = [one, other].filter((outcome) => outcome === 'done').length;
      expect([undone, await statusOf(order)]).toEqual(undone === 1 ? [1, 'open'] : [0, 'paid']);
    });
    await expectHealthy(app);
  });
});
