import { describe, expect, it } from '@jest/globals';
import { ManualReconciliation } from '../src/bank/matching/manual-reconciliation.service.js';
import { camtFile, mt940File, type WrittenEntry } from './support/bank-file.js';
import { allocationsOf } from './support/bank-lines.js';
import {
  batch,
  DIFFERS,
  type FormatFiles,
  formatFiles,
  PAID,
  stateOf,
  transfer,
  WAITS,
} from './support/format-files.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop();
const dayOf = (n: number): string => `2025-12-${20 + n}`;

const ownAccount = () => formatFiles(app, dayOf(0), dayOf(9));

describe('an account that changes its format', () => {
  const change = async (file: FormatFiles, opening: number, from = dayOf(2)) => {
    const [before, after] = [await transfer(app, shop), await transfer(app, shop, 1)];
    const closing = 500 + before.amount;
    const old = file.statement([{ ...before, bookedOn: dayOf(1) }]);
    await file.bring(mt940File({ ...old, day: dayOf(1), opening: 500, closing }));
    expect(await stateOf(app, before)).toMatchObject(PAID);
    const next = file.statement([{ ...after, bookedOn: dayOf(2) }]);
    await file.bring(camtFile('053', { ...next, from, day: dayOf(3), opening: closing + opening }));
    return after;
  };

  it('has its lines paid by themselves if the balances follow each other', async () => {
    for (const from of [dayOf(1), dayOf(2)]) {
      const after = await change(await ownAccount(), 0, from);
      expect(await stateOf(app, after)).toMatchObject(PAID);
    }
  });

  it('has its lines wait if they do not', async () => {
    const after = await change(await ownAccount(), 1);
    expect(await stateOf(app, after)).toMatchObject(WAITS);
  });

  it('has lines of the days of both formats wait', async () => {
    const file = await ownAccount();
    await change(file, 0);
    const late = await transfer(app, shop, 2);
    await file.bring(file.camt052({ ...late, bookedOn: dayOf(1) }));
    expect(await stateOf(app, late)).toMatchObject(WAITS);
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
    const [{ parts, total, paid }, write] = [await batch(app, shop), writers(await ownAccount())];
    const sum = total.amount;
    await write.mt940(1, 1, 500, on(1, ...parts));
    expect(await paid()).toBe(sum);
    await write.camt053(1, 2, 500, on(2, total));
    expect(await stateOf(app, total)).toMatchObject(WAITS);
    await write.camt053(3, 4, 500 + sum, small(4));
    expect(await paid()).toBe(sum);
  });

  it.each([0, 2])(
    'counts a total with value day %i and its payments of day 1 once',
    async (value) => {
      const [{ parts, total, paid }, write] = [await batch(app, shop), writers(await ownAccount())];
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

  it('counts a total and its payments once where nothing remains of the last day', async () => {
    const [{ parts, total, paid }, write] = [await batch(app, shop), writers(await ownAccount())];
    const out = { amount: total.amount, direction: 'out', text: 'x' } as const;
    await write.mt940(1, 1, 500, on(1, total, out));
    await write.camt053(1, 2, 500, [...on(1, out), ...on(2, ...parts)]);
    expect(await paid()).toBe(total.amount);
  });

  it.each(['undoes', 'ignores'])(
    'keeps a total waiting whose payments an operator %s',
    async (act) => {
      const [{ parts, total, paid }, write] = [await batch(app, shop), writers(await ownAccount())];
      await write.mt940(1, 1, 500, on(1, ...parts));
      await write.camt053(1, 1, 500, on(1, total));
      for (const part of parts) {
        const [allocation] = await allocationsOf(app, (await stateOf(app, part))!);
        const reconciliation = app.get(ManualReconciliation);
        expect(await reconciliation.undo('test', allocation!)).toBe('taken_back');
        if (act === 'ignores') await reconciliation.ignore('test', allocation!.lineId, 'Wrong');
      }
      await write.camt053(2, 2, 500 + total.amount, small(2));
      expect(await stateOf(app, total)).toMatchObject(DIFFERS);
      expect(await paid()).toBe(0);
    },
  );
});
