import { describe, expect, it } from '@jest/globals';
import { ManualReconciliation } from '../src/bank/matching/manual-reconciliation.service.js';
import { MatcherService } from '../src/bank/matching/matcher.service.js';
import { PossibleDuplicatesService } from '../src/bank/matching/possible-duplicates.service.js';
import { UndoneReturnsService } from '../src/bank/matching/undone-returns.service.js';
import type { BankLine } from '../src/database/bank/lines/bank-line.entity.js';
import { BankLineRepository } from '../src/database/bank/lines/bank-line.repository.js';
import { camtFile, mt940File, type WrittenEntry } from './support/bank-file.js';
import { allocationsOf, bookedLine, collectionAccount, told } from './support/bank-lines.js';
import type { OrderJson } from './support/client.js';
import { confirmNoTotals } from './support/no-totals.js';
import { expectHealthy, expectSound } from './support/payout-invariants.js';
import { PAYS } from './support/payouts.js';
import { person } from './support/people.js';
import { brought } from './support/brought.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop({ env: PAYS });
await collectionAccount(app);
await confirmNoTotals(app);
const reconciliation = app.get(ManualReconciliation);
const duplicates = app.get(PossibleDuplicatesService);
const operator = await person(app, 'operator');
const day = app.clock.now().toISOString().slice(0, 10);

let made = 0;

async function newAccount(): Promise<string> {
  const account = `UNDONE-${(made += 1)}`;
  await collectionAccount(app, account);
  return account;
}

const bring = (write: typeof mt940File, account: string, entry: WrittenEntry): Promise<void> =>
  brought(app, [write({ account, day, id: `S${(made += 1)}`, entries: [entry] })]);
const statement: typeof mt940File = (...all) => camtFile('053', ...all);
const notification: typeof mt940File = (...all) => camtFile('054', ...all);

/** The total first. */
async function linesOf(account: string, direction: 'in' | 'out'): Promise<BankLine[]> {
  const lines = await app.get(BankLineRepository).list({ mode: 'test', account }, 100);
  return lines
    .filter((line) => line.direction === direction)
    .toSorted((one, other) => other.amount! - one.amount!);
}
const endsOf = async (account: string, direction: 'in' | 'out' = 'in'): Promise<string[]> =>
  (await linesOf(account, direction)).map(({ state, reason }) => `${state} ${reason}`);

const partOf = ({ txid }: OrderJson, amount: number) => ({
  merchantId: shop.merchantId,
  txid,
  amount,
});

const paid = async (...orders: OrderJson[]): Promise<number> => {
  const read = await Promise.all(orders.map(({ txid }) => shop.read(txid)));
  return read.filter(({ body }) => body['status'] === 'paid').length;
};

/** A total that a person has matched with other orders, and whose two payments a later file tells. */
async function wronglyMatched(written: WrittenEntry, ...amounts: readonly number[]) {
  const account = await newAccount();
  const orders = await Promise.all([700, 800].map((amount) => shop.order({ amount })));
  const texts = await Promise.all(orders.map((order) => told(app, shop, order)));
  const wrong = await Promise.all(amounts.map((amount) => shop.order({ amount })));
  await bring(written.acctSvcrRef ? statement : mt940File, account, written);
  const [total] = await linesOf(account, 'in');
  const parts = wrong.map((order, n) => partOf(order, amounts[n]!));
  expect(await reconciliation.matchManually('test', total!.id, parts, operator.id, 'Seen')).toBe(
    'matched',
  );
  const details = texts.map((text, n) => ({ amount: [700, 800][n]!, text }));
  const tell = () => bring(notification, account, { ...written, text: undefined, details });
  await tell();
  const undo = async () => {
    for (const allocation of await allocationsOf(app, total!))
      if (allocation.undoneAt === null) {
        expect(await reconciliation.undo('test', allocation)).toBe('taken_back');
        return;
      }
  };
  return { account, orders, wrong, total: total!, undo, tell };
}

const certain = (): WrittenEntry => ({ amount: 1_500, acctSvcrRef: `B${(made += 1)}`, batchOf: 2 });
const TOTAL_COUNTS = ['superseded null', 'superseded null'];
const PARTS_COUNT = ['superseded null', 'matched reference', 'matched reference'];

describe('the undone match of a total', () => {
  it('lets its payments count, as if it had never been made', async () => {
    const { account, orders, wrong, undo, tell } = await wronglyMatched(certain(), 1_500);
    expect(await endsOf(account)).toEqual(['matched by_hand', ...TOTAL_COUNTS]);
    await undo();
    await app.get(MatcherService).matchNew();
    expect(await endsOf(account)).toEqual(PARTS_COUNT);
    expect(await paid(...orders)).toBe(2);
    expect(await paid(...wrong)).toBe(0);
    await tell();
    expect(await endsOf(account)).toEqual(PARTS_COUNT);
    await expectSound(app, [shop.merchantId]);
    await expectHealthy(app);
  });

  it('lets them count only when it has paid for nothing else', async () => {
    const { account, orders, wrong, undo } = await wronglyMatched(certain(), 1_000, 500);
    await undo();
    await app.get(MatcherService).matchNew();
    expect(await endsOf(account)).toEqual(['unmatched partly_matched', ...TOTAL_COUNTS]);
    expect(await paid(...wrong)).toBe(1);
    await undo();
    await app.get(MatcherService).matchNew();
    expect(await endsOf(account)).toEqual(PARTS_COUNT);
    expect(await paid(...orders)).toBe(2);
    await expectHealthy(app);
  });

  it('keeps the word of a person that they are one money, and that can be taken back', async () => {
    const plain = { amount: 1_500, text: 'thank you' };
    const { account, orders, total, undo } = await wronglyMatched(plain, 1_500);
    const [, first] = await linesOf(account, 'in');
    expect(first).toMatchObject({ reason: 'possible_duplicate', duplicateOf: total.id });
    expect(await duplicates.sameBooking('test', first!.id)).toBe('done');
    expect((await endsOf(account)).slice(1)).toEqual(['superseded total', 'superseded total']);
    await undo();
    await app.get(MatcherService).matchNew();
    expect((await endsOf(account))[0]).toBe('superseded total');
    expect(await duplicates.undoSameBooking('test', total.id)).toBe('done');
    await app.get(MatcherService).matchNew();
    expect((await endsOf(account))[0]).not.toBe('superseded total');
    expect(await paid(...orders)).toBeLessThanOrEqual(2);
    await expectHealthy(app);
  });

  it('changes nothing of a line that is no total', async () => {
    const account = await newAccount();
    const order = await shop.order({ amount: 1_500 });
    const { id } = await bookedLine(app, { account, amount: 1_500, lookedAt: app.clock.now() });
    await reconciliation.matchManually('test', id, [partOf(order, 1_500)], operator.id, 'Seen');
    const [allocation] = await allocationsOf(app, { id });
    expect(await reconciliation.undo('test', allocation!)).toBe('taken_back');
    expect(await endsOf(account)).toEqual(['unmatched undone']);
  });
});

describe('the undone return of a total', () => {
  it('lets the payments that went back count', async () => {
    const account = await newAccount();
    const order = await shop.order({ amount: 1_000 });
    const { id } = await bookedLine(app, { account, amount: 1_000, lookedAt: app.clock.now() });
    const part = partOf(order, 1_000);
    expect(await reconciliation.matchManually('test', id, [part], operator.id, 'Seen')).toBe(
      'matched',
    );
    const entry = { amount: 1_000, direction: 'out', acctSvcrRef: `R${(made += 1)}` } as const;
    await bring(statement, account, { ...entry, batchOf: 2 });
    const [total] = await linesOf(account, 'out');
    expect(await reconciliation.returnManually('test', total!.id, part, operator.id)).toBe(
      'returned',
    );
    const details = [400, 600].map((amount) => ({ amount, e2e: `E${amount}-${made}` }));
    await bring(notification, account, { ...entry, details });
    expect((await endsOf(account, 'out')).slice(1)).toEqual(TOTAL_COUNTS);
    const [allocation] = await allocationsOf(app, { id });
    const undone = app.get(UndoneReturnsService).undo('test', total!.id, allocation!, operator.id);
    expect(await undone).toBe('done');
    await app.get(MatcherService).matchNew();
    const ends = await endsOf(account, 'out');
    expect(ends[0]).toBe('superseded null');
    expect(ends.filter((end) => end.startsWith('superseded'))).toHaveLength(1);
    expect(await paid(order)).toBe(1);
    await expectSound(app, [shop.merchantId]);
    await expectHealthy(app);
  });
});
