import { describe, expect, it } from '@jest/globals';
import { BankImportService } from '../src/bank/import/import.service.js';
import { camtFile, mt940File, type WrittenEntry } from './support/bank-file.js';
import { collectionAccount, told } from './support/bank-lines.js';
import { select } from './support/facts.js';
import { confirmNoTotals } from './support/no-totals.js';
import { expectHealthy } from './support/payout-invariants.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop();
await collectionAccount(app);
await confirmNoTotals(app);
const day = app.clock.now().toISOString().slice(0, 10);

let made = 0;

/** Two payments of orders in one entry, and what may come to their sum, on an account of its own. */
async function opened() {
  const account = `TOTALS-${(made += 1)}`;
  await collectionAccount(app, account);
  const orders = await Promise.all([700, 800].map((amount) => shop.order({ amount })));
  const texts = await Promise.all(orders.map((order) => told(app, shop, order)));
  const details = texts.map((text, n) => ({ amount: [700, 800][n]!, text }));
  const bring = async (write: typeof mt940File, ...entries: WrittenEntry[]) => {
    const text = write({ account, day, id: `S${(made += 1)}`, entries });
    const options = { mode: 'test', name: 'a.txt', source: 'cli' } as const;
    const result = await app.get(BankImportService).import({ bytes: Buffer.from(text) }, options);
    expect(result).toMatchObject({ result: 'imported' });
  };
  const endsOf = async () => {
    const rows = await select<{ text: string; end: string }>(
      app,
      `SELECT coalesce(text, 'Total') AS text, state || ' ' || coalesce(reason, '') AS end FROM bank_lines
       WHERE account = $1 AND amount = 1500 ORDER BY id`,
      [account],
    );
    return Object.fromEntries(rows.map(({ text, end }) => [text.split(' ').at(-1)!, end]));
  };
  const paid = async () => {
    const read = await Promise.all(orders.map(({ txid }) => shop.read(txid)));
    return read.filter(({ body }) => body['status'] === 'paid').length;
  };
  return { bring, endsOf, paid, details };
}

const notification: typeof mt940File = (...all) => camtFile('054', ...all);
const statement: typeof mt940File = (...all) => camtFile('053', ...all);

const LONG = '20261126-0001-00017';
const GIFT = { amount: 1500, text: 'Gift' };
const TOTAL = { amount: 1500, text: 'Total' };

describe('a credit of the sum of payments', () => {
  const FIRST = [true, false];

  it.each(FIRST)(
    'is no total because its reference begins like theirs; told after them: %s',
    async (isAfter) => {
      for (const [theirs, mine] of [
        ['20261126-00017', '2'],
        ['2', '20261126-00017'],
        ['20261126-00017', '20261126-0001'],
      ] as const) {
        const { bring, endsOf, paid, details } = await opened();
        const batch = () => bring(notification, { amount: 1500, acctSvcrRef: theirs, details });
        if (isAfter) await batch();
        await bring(mt940File, { ...GIFT, acctSvcrRef: mine });
        if (!isAfter) await batch();
        expect(await endsOf()).toEqual({ Gift: 'unmatched no_reference' });
        expect(await paid()).toBe(2);
      }
      await expectHealthy(app);
    },
  );

  it.each(FIRST)('leaves the true one the payments; told after them: %s', async (isAfter) => {
    for (const [reference, gift] of [
      ['20261126-00017', '2'],
      // MT940 has 16 characters of it, which another booking can share.
      [LONG, '2'],
      [LONG, undefined],
    ] as const) {
      const { bring, endsOf, paid, details } = await opened();
      const batch = () => bring(notification, { amount: 1500, acctSvcrRef: reference, details });
      if (isAfter) await batch();
      const mine = gift === undefined ? {} : { acctSvcrRef: gift };
      await bring(mt940File, { ...GIFT, ...mine }, { ...TOTAL, acctSvcrRef: reference });
      if (!isAfter) await batch();
      if (reference === LONG) {
        const ends = Object.values(await endsOf()).toSorted();
        expect(ends).toEqual(['suggested possible_total', 'unmatched no_reference']);
      } else {
        expect(await endsOf()).toEqual({ Gift: 'unmatched no_reference', Total: 'superseded ' });
      }
      expect(await paid()).toBe(2);
    }
    await expectHealthy(app);
  });

  it.each(FIRST)(
    'is less surely one than what the bank calls so; told after: %s',
    async (isAfter) => {
      const { bring, endsOf, paid, details } = await opened();
      const batch = () => bring(notification, { amount: 1500, details });
      if (isAfter) await batch();
      await bring(statement, GIFT, { ...TOTAL, batchOf: 2 });
      if (!isAfter) await batch();
      expect(await endsOf()).toMatchObject({ Gift: 'unmatched no_reference' });
      expect(Object.values(await endsOf())).toContain('superseded ');
      expect(await paid()).toBe(2);
      await expectHealthy(app);
    },
  );

  it('belongs to the payments whose reference it has, whichever are told first', async () => {
    const { bring, endsOf, paid, details } = await opened();
    await bring(statement, { ...TOTAL, acctSvcrRef: LONG, batchOf: 2 });
    const others = [600, 900].map((amount) => ({ amount, text: 'Somebody' }));
    await bring(
      notification,
      { amount: 1500, details: others },
      { amount: 1500, acctSvcrRef: LONG, details },
    );
    expect(await endsOf()).toEqual({ Total: 'superseded ' });
    const ties = await select<{ amount: string }>(
      app,
      'SELECT p.amount FROM bank_lines t JOIN bank_lines p ON p.parent_id = t.id WHERE t.amount = 1500 AND p.account = $1 ORDER BY 1',
      [`TOTALS-${made - 2}`],
    );
    expect(ties.map(({ amount }) => Number(amount))).toEqual([700, 800]);
    expect(await paid()).toBe(2);
  });
});
