import { describe, expect, it } from '@jest/globals';
import { MatcherService } from '../src/bank/matching/matcher.service.js';
import { PossibleDuplicatesService } from '../src/bank/matching/possible-duplicates.service.js';
import { MatchingRepository } from '../src/database/bank/matching/matching.repository.js';
import { brokenIn, Doctor } from '../src/database/doctor/doctor.js';
import { camtFile, type WrittenEntry } from './support/bank-file.js';
import {
  batch,
  creditedBy,
  formatFiles,
  linesOf,
  PAID,
  stateOf,
  transfer,
  WAITS,
} from './support/format-files.js';
import { rounds } from './support/race.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop();
const [FIRST_DAY, LAST_DAY] = ['2025-12-20', '2026-01-01'];
const dayOf = (n: number): string => `2025-12-${25 + n}`;

const ownAccount = () => formatFiles(app, FIRST_DAY, LAST_DAY);

const doctorFinds = async () =>
  brokenIn(await app.get(Doctor).examine({ overdue: false })).map(({ fact }) => fact.name);

type Write = 'camt052' | 'camt053' | 'camt054';
const FORMATS: readonly Write[] = ['camt052', 'camt053', 'camt054'];
const PAIRS = FORMATS.flatMap((ofTotal) =>
  FORMATS.filter((each) => each !== ofTotal).map((ofParts) => ({ ofTotal, ofParts })),
);

describe('a total with the account of its first payment, and the payments without a reference in common', () => {
  it.each(PAIRS)('pay no more than came: total in $ofTotal, payments in $ofParts', async (pair) => {
    for (const apart of [-5, -1, 0, 1, 5])
      for (const first of ['total', 'parts'] as const) {
        const [file, { parts, total }] = [await ownAccount(), await batch(app, shop)];
        const texts = {
          total: file[pair.ofTotal]({ ...total, bookedOn: dayOf(0) }),
          parts: file[pair.ofParts](...parts.map((part) => ({ ...part, bookedOn: dayOf(apart) }))),
        };
        await file.bring(texts[first]);
        await file.bring(texts[first === 'total' ? 'parts' : 'total']);
        const all = [total, ...parts].map(({ amount }) => amount);
        expect({ apart, first, paid: await creditedBy(app, all) }).toEqual({
          apart,
          first,
          paid: total.amount,
        });
      }
    expect(await doctorFinds()).toEqual([]);
  });

  it.each([0, 1, 2])(
    'pay once where the payments come one by one, %i before the total',
    async (n) => {
      const [file, { parts, total }] = [await ownAccount(), await batch(app, shop)];
      const texts = [...parts]
        .reverse()
        .map((part) => file.camt054({ ...part, bookedOn: dayOf(1) }));
      texts.splice(n, 0, file.camt053({ ...total, bookedOn: dayOf(0) }));
      for (const text of texts) await file.bring(text);
      const all = [total, ...parts].map(({ amount }) => amount);
      expect(await creditedBy(app, all)).toBeLessThanOrEqual(total.amount);
    },
  );

  /** Imports files whose lines are matched later. */
  async function unmatched(ofParts: Write = 'camt054'): Promise<readonly number[]> {
    const [file, { parts, total }] = [await ownAccount(), await batch(app, shop)];
    const matcher = app.get(MatcherService);
    const matchNew = matcher.matchNew.bind(matcher);
    matcher.matchNew = () => Promise.resolve(true);
    await file.bring(file.camt053(total));
    await file.bring(file[ofParts](...parts));
    matcher.matchNew = matchNew;
    return [total, ...parts].map(({ amount }) => amount);
  }
  const expectOnce = async ([total, ...parts]: readonly number[]): Promise<void> => {
    const paid = await creditedBy(app, [total!, ...parts]);
    expect(paid).toBeGreaterThan(0);
    expect(paid).toBeLessThanOrEqual(total!);
  };

  it.each(FORMATS)('pay once when they are matched together: payments in %s', async (ofParts) => {
    const amounts = await unmatched(ofParts);
    await app.get(MatcherService).matchNew();
    await expectOnce(amounts);
  });

  it('pay once when two processes match them', async () => {
    const repository = app.get(MatchingRepository);
    const newLines = repository.newLines.bind(repository);
    await rounds(async () => {
      const amounts = await unmatched();
      let reads = 0;
      repository.newLines = async (...range) => {
        const read = (reads += 1);
        const lines = await newLines(...range);
        // One process has read the total, the other one the payments.
        return lines.filter(({ amount }) => read > 2 || (amount === amounts[0]) === (read === 1));
      };
      await Promise.all([app.get(MatcherService).matchNew(), app.get(MatcherService).matchNew()]);
      repository.newLines = newLines;
      await expectOnce(amounts);
    });
  });

  it('take no more back than went, as returns', async () => {
    const file = await ownAccount();
    const { parts, total } = await batch(app, shop);
    const payments = [total, ...parts].map((each, n) => ({ ...each, e2e: `E${total.amount}${n}` }));
    await file.bring(file.camt053(...payments.map((each) => ({ ...each, bookedOn: dayOf(0) }))));
    const paid = payments.map(({ amount }) => amount);
    expect(await creditedBy(app, paid)).toBe(2 * total.amount);
    const [back, ...backs] = payments.map((each) => ({
      ...each,
      direction: 'out' as const,
      returned: true,
    }));
    await file.bring(file.camt053({ ...back!, bookedOn: dayOf(1) }));
    await file.bring(file.camt054(...backs.map((each) => ({ ...each, bookedOn: dayOf(1) }))));
    expect(await creditedBy(app, paid)).toBe(total.amount);
    const waiting = { state: 'unmatched', reason: 'total_or_payment' };
    for (const { amount } of parts)
      expect(await linesOf(app, amount)).toContainEqual(expect.objectContaining(waiting));
  });
});

describe('a transfer in one of several formats', () => {
  it('pays by itself while every paid line is in that format, too', async () => {
    const file = await ownAccount();
    const [one, other] = [await transfer(app, shop), await transfer(app, shop, 1)];
    await file.bring(file.camt054(one));
    await file.bring(file.camt053(one, other));
    expect(await stateOf(app, other)).toMatchObject(PAID);
    expect(await stateOf(app, one)).toMatchObject({ ...PAID, formats: ['camt.053', 'camt.054'] });
  });

  it('waits while another format has paid lines of its own, until one contains both', async () => {
    const file = await ownAccount();
    const [one, other] = [await transfer(app, shop), await transfer(app, shop, 1)];
    await file.bring(file.camt052(one));
    await file.bring(file.camt054(other));
    const before = (await stateOf(app, other))!;
    expect(before).toMatchObject(WAITS);
    app.clock.advance(1_000);
    // It changes nothing for the line, so the rules do not run again.
    await file.bring(file.camt054({ amount: 7, text: 'x' }));
    expect(await stateOf(app, other)).toEqual(before);
    await file.bring(file.camt053(one, other));
    expect(await stateOf(app, other)).toMatchObject(PAID);
  });

  it('is in the formats of the bookings with which an operator has merged it', async () => {
    const file = await ownAccount();
    const { amount, text } = await transfer(app, shop);
    await file.bring(file.camt052({ amount, text: 'Thank you' }));
    await file.bring(file.camt054({ amount, text: text! }));
    const lines = await linesOf(app, amount);
    const again = lines.find(({ reason }) => reason === 'possible_duplicate')!;
    const first = lines.find(({ id }) => id !== again.id)!;
    const formats = async () => {
      const found = new Map((await linesOf(app, amount)).map((line) => [line.id, line.formats]));
      return [found.get(first.id), found.get(again.id)];
    };
    const apart = [['camt.052'], ['camt.054']];
    expect(await formats()).toEqual(apart);
    const duplicates = app.get(PossibleDuplicatesService);
    await duplicates.sameBooking('test', again.id);
    expect(await formats()).toEqual([['camt.052', 'camt.054'], []]);
    await duplicates.undoSameBooking('test', again.id);
    expect(await formats()).toEqual(apart);
  });

  it('pays by itself 11 days after the last line of the other format', async () => {
    const file = await ownAccount();
    const [one, other] = [await transfer(app, shop), await transfer(app, shop, 1)];
    await file.bring(file.camt052({ ...one, bookedOn: '2025-12-20' }));
    await file.bring(file.camt054({ ...other, bookedOn: '2025-12-31' }));
    expect(await stateOf(app, other)).toMatchObject(PAID);
  });

  it('pays by itself as a part of a total that the other format contains', async () => {
    const file = await ownAccount();
    const [single, ...details] = [
      await transfer(app, shop, 0),
      await transfer(app, shop, 1),
      await transfer(app, shop, 2),
    ];
    const total = {
      amount: details[0]!.amount + details[1]!.amount,
      acctSvcrRef: `B${single.amount}`,
    };
    await file.bring(file.camt053(single, { ...total, batchOf: 2 }));
    await file.bring(file.camt054({ ...total, details }));
    for (const each of [single, ...details]) expect(await stateOf(app, each)).toMatchObject(PAID);
    expect((await stateOf(app, details[0]!))!.formats).toEqual(['camt.053', 'camt.054']);
  });
});

describe('a balanced statement with other lines for days of an earlier one', () => {
  const [from, day] = [dayOf(0), dayOf(1)];
  const written = async () => {
    const [file, { parts, total }] = [await ownAccount(), await batch(app, shop)];
    const longer = (entries: readonly WrittenEntry[]): WrittenEntry[] => [
      ...entries,
      { amount: 5, text: 'x', bookedOn: dayOf(3) },
    ];
    const entries = (some: readonly WrittenEntry[]) =>
      some.map((each) => ({ ...each, bookedOn: day }));
    return {
      file,
      paid: () =>
        creditedBy(
          app,
          [total, ...parts].map(({ amount }) => amount),
        ),
      amount: total.amount,
      total: file.statement(entries([total])),
      parts: file.statement(entries(parts)),
      longer,
    };
  };

  it.each([
    ['the same days', 'total', 'parts'],
    ['the same days', 'parts', 'total'],
    ['more days', 'total', 'longer parts'],
    ['fewer days', 'longer parts', 'total'],
    ['fewer days', 'longer total', 'parts'],
    ['some of the days', 'earlier parts', 'longer total'],
    ['some of the days', 'longer total', 'earlier parts'],
  ])('pays nothing twice: %s, %s first', async (_, ...order) => {
    const { file, paid, amount, longer, ...of } = await written();
    for (const name of order) {
      const statement = of[name.endsWith('total') ? 'total' : 'parts'];
      const text = name.startsWith('longer')
        ? camtFile('053', { ...statement, from, day: dayOf(3), entries: longer(statement.entries) })
        : camtFile('053', {
            ...statement,
            day,
            from: name.startsWith('earlier') ? dayOf(-1) : from,
          });
      await file.bring(text);
    }
    expect(await paid()).toBe(amount);
  });

  it('pays its lines where it begins with the closing balance of the last one', async () => {
    const { file, paid, amount, total, parts } = await written();
    await file.bring(camtFile('053', { ...total, from, day }));
    const next = { ...parts, from: day, day: dayOf(2), opening: amount };
    await file.bring(camtFile('053', next));
    expect(await paid()).toBe(2 * amount);
  });

  it('pays its lines where it is another part of the same days', async () => {
    const { file, paid, amount, total, parts } = await written();
    await file.bring(camtFile('053', { ...total, from, day, sequence: '1' }));
    await file.bring(camtFile('053', { ...parts, from, day, sequence: '2', opening: amount }));
    expect(await paid()).toBe(2 * amount);
  });
});
