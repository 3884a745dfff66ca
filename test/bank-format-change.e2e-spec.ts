import { describe, expect, it } from '@jest/globals';
import { ManualReconciliation } from '../src/bank/matching/manual-reconciliation.service.js';
import { camtFile, mt940File, type WrittenEntry } from './support/bank-file.js';
import { allocationsOf, told } from './support/bank-lines.js';
import { creditedBy, type FormatFiles, formatFiles, linesOf } from './support/format-files.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop();
const IBANS = ['NL91ABNA0417164300', 'BE68539007547034', 'FR1420041010050500013M02606'];
const dayOf = (n: number): string => `2025-12-${20 + n}`;
let amounts = 3_000_000;

const ownAccount = () => formatFiles(app, dayOf(0), dayOf(9));

/** A transfer of the whole amount of an order, from a named payer. */
async function transfer(nth = 0, amount = (amounts += 1_003)): Promise<WrittenEntry> {
  const text = await told(app, shop, await shop.order({ amount }));
  return { amount, text, payer: { name: 'Payer', iban: IBANS[nth]! } };
}

/** Three transfers, and a total that the bank writes with the texts and the account of the first. */
async function batch() {
  const parts = [await transfer(0), await transfer(1), await transfer(2)];
  const amount = parts.reduce((sum, part) => sum + part.amount, 0);
  const total = { ...(await transfer(0, amount)), payer: parts[0]!.payer! };
  return {
    parts,
    total,
    paid: () =>
      creditedBy(
        app,
        [total, ...parts].map((each) => each.amount),
      ),
  };
}

const stateOf = async ({ amount }: WrittenEntry) => {
  const [line] = await linesOf(app, amount);
  return line;
};
const PAID = { state: 'matched', reason: 'reference' };
const WAITS = { state: 'suggested', reason: 'total_or_payment' };

describe('an account that changes its format', () => {
  const change = async (file: FormatFiles, opening: number, from = dayOf(2)) => {
    const [before, after] = [await transfer(), await transfer(1)];
    const closing = 500 + before.amount;
    const old = file.statement([{ ...before, bookedOn: dayOf(1) }]);
    await file.bring(mt940File({ ...old, day: dayOf(1), opening: 500, closing }));
    expect(await stateOf(before)).toMatchObject(PAID);
    const next = file.statement([{ ...after, bookedOn: dayOf(2) }]);
    await file.bring(camtFile('053', { ...next, from, day: dayOf(3), opening: closing + opening }));
    return after;
  };

  it('has its lines paid by themselves if the balances follow each other', async () => {
    for (const from of [dayOf(1), dayOf(2)]) {
      const after = await change(await ownAccount(), 0, from);
      expect(await stateOf(after)).toMatchObject(PAID);
    }
  });

  it('has its lines wait if they do not', async () => {
    const after = await change(await ownAccount(), 1);
    expect(await stateOf(after)).toMatchObject(WAITS);
  });

  it('has lines of the days of both formats wait', async () => {
    const file = await ownAccount();
    await change(file, 0);
    const late = await transfer(2);
    await file.bring(file.camt052({ ...late, bookedOn: dayOf(1) }));
    expect(await stateOf(late)).toMatchObject(WAITS);
  });
});

describe('an account that two formats report', () => {
  type Written = readonly [from: number, day: number, opening: number, entries: WrittenEntry[]];
  const writers = (file: FormatFiles) => {
    const of = ([from, day, opening, entries]: Written) => ({
      ...file.statement(entries),
      from: dayOf(from),
      day: dayOf(day),
      opening,
    });
    return {
      mt940: (...written: Written) => file.bring(mt940File(of(written))),
      /** Without the day of booking, as some banks write it. */
      mt940Valued: (...written: Written) =>
        file.bring(mt940File(of(written)).replaceAll(/(:61:\d{6})\d{4}/g, '$1')),
      camt053: (...written: Written) => file.bring(camtFile('053', of(written))),
    };
  };
  const on = (n: number, ...entries: WrittenEntry[]): WrittenEntry[] =>
    entries.map((each) => ({ ...each, bookedOn: dayOf(n) }));
  const small = (n: number): WrittenEntry[] => on(n, { amount: 5, text: 'x' });

  it('counts payments and their later total once, although a later statement follows in balance', async () => {
    const [{ parts, total, paid }, write] = [await batch(), writers(await ownAccount())];
    const sum = total.amount;
    await write.mt940(1, 1, 500, on(1, ...parts));
    expect(await paid()).toBe(sum);
    await write.camt053(1, 2, 500, on(2, total));
    expect(await stateOf(total)).toMatchObject(WAITS);
    await write.camt053(3, 4, 500 + sum, small(4));
    expect(await paid()).toBe(sum);
  });

  it.each([0, 2])(
    'counts a total with value day %i and its payments of day 1 once',
    async (value) => {
      const [{ parts, total, paid }, write] = [await batch(), writers(await ownAccount())];
      const sum = total.amount;
      await write.mt940(0, 0, 0, on(0, { amount: 500, text: 'x' }));
      await write.mt940Valued(0, 1, 500, [
        { ...total, bookedOn: dayOf(value), valuedOn: dayOf(value) },
      ]);
      expect(await paid()).toBe(sum);
      await write.camt053(1, 1, 500, on(1, ...parts));
      await write.mt940(1, 2, 500 + sum, small(2));
      await write.camt053(2, 2, 500 + sum, small(2));
      expect(await paid()).toBe(sum);
    },
  );

  it.each(['undoes', 'ignores'])(
    'keeps a total waiting whose payments an operator %s',
    async (act) => {
      const [{ parts, total, paid }, write] = [await batch(), writers(await ownAccount())];
      await write.mt940(1, 1, 500, on(1, ...parts));
      await write.camt053(1, 1, 500, on(1, total));
      for (const part of parts) {
        const [allocation] = await allocationsOf(app, (await stateOf(part))!);
        const reconciliation = app.get(ManualReconciliation);
        expect(await reconciliation.undo('test', allocation!)).toBe('taken_back');
        if (act === 'ignores') await reconciliation.ignore('test', allocation!.lineId, 'Wrong');
      }
      await write.camt053(2, 2, 500 + total.amount, small(2));
      expect(await stateOf(total)).toMatchObject(WAITS);
      expect(await paid()).toBe(0);
    },
  );
});
