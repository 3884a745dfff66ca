import { describe, expect, it } from '@jest/globals';
import { BankImportService } from '../src/bank/import/import.service.js';
import { MatcherService } from '../src/bank/matching/matcher.service.js';
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
await collectionAccount(app);
const dayOff = (days: number): string =>
  new Date(app.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10);

const AMOUNT = 4_000;

let made = 0;

type Write = typeof mt940File;
const notification: Write = (...all) => camtFile('054', ...all);
const statement: Write = (...all) => camtFile('053', ...all);

/** An order that two transfers pay, told by notifications: the second may be the first, on an account of its own. */
async function asked(more: Partial<WrittenEntry> = {}) {
  const account = `SETTLED-${(made += 1)}`;
  await collectionAccount(app, account);
  const order = await shop.order({ amount: 2 * AMOUNT });
  const text = await told(app, shop, order);
  const paid = [-2, 0].map((day, n) => ({
    ...more,
    amount: AMOUNT,
    text,
    e2e: `E${n}-${made}`,
    bookedOn: dayOff(day),
  }));
  const bring = async (write: Write, written: Partial<WrittenStatement>) => {
    const whole = { account, day: dayOff(0), id: `S${(made += 1)}`, entries: [], ...written };
    const options = { mode: 'test', name: 'a.txt', source: 'cli' } as const;
    const bytes = Buffer.from(write(whole));
    const result = await app.get(BankImportService).import({ bytes }, options);
    expect(result).toMatchObject({ result: 'imported' });
    await app.get(MatcherService).matchNew();
  };
  const endOf = async () => {
    const reasons = await select<{ reason: string }>(
      app,
      'SELECT reason FROM bank_lines WHERE account = $1 AND amount = $2 ORDER BY booked_on',
      [account, AMOUNT],
    );
    const { body } = await shop.read(order.txid);
    return [body['amountReceived'], ...reasons.map(({ reason }) => reason)];
  };
  for (const entry of paid) await bring(notification, { entries: [entry] });
  expect(await endOf()).toEqual(ASKED);
  return { bring, endOf, paid: paid as [WrittenEntry, WrittenEntry] };
}

const ASKED = [AMOUNT, 'reference', 'possible_duplicate'];
const BOTH = [2 * AMOUNT, 'reference', 'reference'];
const fillers = (many: number): WrittenEntry[] =>
  Array.from({ length: many }, (_, n) => ({ amount: 10 + n, text: `Filler ${n}` }));

describe('a possible duplicate', () => {
  const FORMATS = [
    ['camt.053', statement],
    ['MT940', mt940File],
  ] as const;

  it.each(FORMATS)('is none once a balanced statement has both: %s', async (_, write) => {
    for (const entriesOf of [
      (paid: WrittenEntry[]) => paid,
      (paid: WrittenEntry[]) => paid.toReversed(),
      // In pieces of their own.
      ([one, other]: WrittenEntry[]) => [one!, ...fillers(600), other!],
      ([one, other]: WrittenEntry[]) => [other!, ...fillers(600), one!],
    ]) {
      const { bring, endOf, paid } = await asked();
      await bring(write, { from: dayOff(-2), entries: entriesOf(paid) });
      expect(await endOf()).toEqual(BOTH);
    }
    await expectHealthy(app);
  });

  it.each(FORMATS)(
    'is none once two that follow each other have one each: %s',
    async (_, write) => {
      for (const inOrder of [true, false]) {
        const { bring, endOf, paid } = await asked();
        const both = [
          { day: dayOff(-2), sequence: '5', entries: [paid[0]] },
          { day: dayOff(0), sequence: '6', opening: AMOUNT, entries: [paid[1]] },
        ];
        for (const each of inOrder ? both : both.toReversed()) await bring(write, each);
        expect(await endOf()).toEqual(BOTH);
      }
      await expectHealthy(app);
    },
  );

  it('stays one where less than that is told', async () => {
    const whole = { from: dayOff(-2) };
    const cases: readonly ((told: Awaited<ReturnType<typeof asked>>) => Promise<void>)[] = [
      ({ bring, paid }) => bring(statement, { ...whole, entries: paid, closing: 7 }),
      ({ bring, paid }) => bring(statement, { ...whole, entries: [paid[0]] }),
      ({ bring, paid }) => bring(statement, { ...whole, entries: [paid[1]] }),
      ({ bring, paid: [one, other] }) =>
        bring(statement, { ...whole, entries: [one, { ...other, status: 'announced' }] }),
      async ({ bring, paid: [one, other] }) => {
        await bring(statement, { day: dayOff(-2), entries: [one] });
        await bring(statement, { day: dayOff(0), opening: AMOUNT + 1, entries: [other] });
      },
    ];
    for (const tell of cases) {
      const told = await asked();
      await tell(told);
      expect(await told.endOf()).toEqual(ASKED);
    }
    await expectHealthy(app);
  });

  it('stays one of a neighbour where the bank has named both alike, and is none of the statement itself', async () => {
    const { bring, endOf, paid } = await asked({ acctSvcrRef: 'AGAIN' });
    await bring(statement, { day: dayOff(-2), sequence: '5', entries: [paid[0]] });
    await bring(statement, { day: dayOff(0), sequence: '6', opening: AMOUNT, entries: [paid[1]] });
    expect(await endOf()).toEqual(ASKED);
    await bring(statement, { from: dayOff(-2), entries: paid });
    expect(await endOf()).toEqual(BOTH);
  });
});

describe('a possible total', () => {
  it('is none once a balanced statement has it beside the payments', async () => {
    const account = `SETTLED-${(made += 1)}`;
    await collectionAccount(app, account);
    const details = [700, 800].map((amount, n) => ({ amount, e2e: `T${n}-${made}` }));
    const day = dayOff(0);
    const gift = { amount: 1_500, text: 'Gift' };
    const written: readonly (readonly [Write, WrittenEntry[]])[] = [
      [notification, [{ amount: 1_500, details }]],
      [notification, [gift]],
      [statement, [{ amount: 1_500, details }, gift]],
    ];
    const ends: unknown[] = [];
    for (const [write, entries] of written) {
      const bytes = Buffer.from(write({ account, day, id: `S${(made += 1)}`, entries }));
      const options = { mode: 'test', name: 'a.xml', source: 'cli' } as const;
      await app.get(BankImportService).import({ bytes }, options);
      await app.get(MatcherService).matchNew();
      const sql = 'SELECT reason FROM bank_lines WHERE account = $1 AND amount = 1500';
      ends.push((await select<{ reason: string }>(app, sql, [account]))[0]?.reason);
    }
    expect(ends).toEqual([undefined, 'possible_total', 'no_reference']);
    await expectHealthy(app);
  });
});
