import { describe, expect, it } from '@jest/globals';
import { BankBalanceService } from '../src/bank/balance.service.js';
import { BankImportService } from '../src/bank/import.service.js';
import { LineDesk } from '../src/bank/line-desk.service.js';
import { withoutDashes } from '../src/common/ids.js';
import type { CsvProfile } from '../src/bank-statements/csv/csv-profile.js';
import type { BankLine } from '../src/database/bank/bank-line.entity.js';
import { BankLineRepository } from '../src/database/bank/bank-line.repository.js';
import {
  camtFile,
  csvProfileOf,
  mt940File,
  type WrittenEntry,
  type WrittenStatement,
} from './support/bank-file.js';
import {
  allocationsOf,
  collectionAccount,
  lineOf,
  OWN_ACCOUNT,
  told,
} from './support/bank-lines.js';
import type { OrderJson } from './support/client.js';
import { select } from './support/facts.js';
import { expectHealthy, expectSound } from './support/payout-invariants.js';
import { Cashier, paidOrder, PAYS } from './support/payouts.js';
import { person } from './support/people.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop({ env: PAYS });
await collectionAccount(app);
const desk = app.get(LineDesk);
const operator = await person(app, 'operator');
const DAY = app.clock.now().toISOString().slice(0, 10);

let files = 0;

async function bring(text: string, profile?: CsvProfile) {
  const options = { mode: 'test', name: 'a.txt', source: 'cli', profile } as const;
  const result = await app.get(BankImportService).import({ bytes: Buffer.from(text) }, options);
  expect(result).toMatchObject({ result: 'imported' });
}

const statement = (
  changes: Partial<WrittenStatement>,
  ...entries: WrittenEntry[]
): WrittenStatement => ({ account: OWN_ACCOUNT, day: DAY, id: `S${++files}`, entries, ...changes });

/** What its balances come to is not what it tells. */
const WRONG = { opening: 0, closing: 7 };

const without = (text: string, balance: RegExp): string => {
  expect(text).toMatch(balance);
  return text.replace(balance, '');
};
const CLOSING = /<Bal><Tp><CdOrPrtry><Cd>CLBD.*?<\/Bal>/s;
const BALANCES = /<Bal>.*<\/Bal>/s;

async function lineCalled(endToEndId: string): Promise<BankLine> {
  const lines = await app
    .get(BankLineRepository)
    .list({ mode: 'test', account: OWN_ACCOUNT }, 10_000);
  return lines.find((line) => line.endToEndId === endToEndId)!;
}

const statusOf = async ({ txid }: OrderJson) => (await shop.read(txid)).body.status;

let lastAmount = 1_000;

/** No two have the same amount: else they could be one booking. */
async function waiting() {
  const amount = (lastAmount += 100);
  const order = await shop.order({ amount });
  const reference = await told(app, shop, order);
  const e2e = `E${++files}`;
  return { order, amount, e2e, entry: { amount, e2e, text: reference } };
}

describe('a line of a statement that its balances do not prove', () => {
  const UNPROVEN: readonly (readonly [string, string, (entry: WrittenEntry) => string])[] = [
    ['camt.053', 'statement_not_balanced', (entry) => camtFile('053', statement(WRONG, entry))],
    ['MT940', 'statement_not_balanced', (entry) => mt940File(statement(WRONG, entry))],
    [
      'camt.053 without a closing balance',
      'statement_without_balance',
      (entry) => without(camtFile('053', statement({}, entry)), CLOSING),
    ],
    [
      'camt.053 without balances',
      'statement_without_balance',
      (entry) => without(camtFile('053', statement({}, entry)), BALANCES),
    ],
    [
      'camt.052 with balances that do not fit',
      'statement_not_balanced',
      (entry) => {
        const [balances] = BALANCES.exec(camtFile('053', statement(WRONG, entry)))!;
        return camtFile('052', statement({}, entry)).replace('<Ntry>', `${balances}<Ntry>`);
      },
    ],
  ];

  it.each(UNPROVEN)('pays nothing by itself: %s', async (_, reason, write) => {
    const { order, amount, e2e, entry } = await waiting();
    await bring(write(entry));
    const line = await lineCalled(e2e);
    expect(line).toMatchObject({ state: 'suggested', reason, unproven: reason });
    expect(await statusOf(order)).toBe('open');
    expect(await allocationsOf(app, line)).toEqual([]);
    const pays = `INSERT INTO bank_allocations (merchant_id, payment_id, txid, line_id, amount, evidence, created_at)
      SELECT merchant_id, gen_random_uuid(), txid, $1, 1, '{}', now() FROM orders LIMIT 1`;
    await expect(select(app, pays, [line.id])).rejects.toThrow(
      /pays for nothing by itself|payment_fk/,
    );
    // A person may.
    const part = { merchantId: shop.merchantId, txid: order.txid, amount };
    expect(await desk.matchByHand('test', line.id, [part], operator.id, 'Seen')).toBe('matched');
    expect(await statusOf(order)).toBe('paid');
    await expectSound(app, [shop.merchantId]);
    await expectHealthy(app);
  });

  it.each(UNPROVEN)('pays once a statement proves it: %s', async (_, _reason, write) => {
    for (const proves of [
      (entry: WrittenEntry) => camtFile('053', statement({}, entry)),
      (entry: WrittenEntry) => mt940File(statement({}, entry)),
      (entry: WrittenEntry) => camtFile('054', statement({}, entry)),
    ]) {
      const { order, e2e, entry } = await waiting();
      await bring(write(entry));
      await bring(write(entry));
      expect(await statusOf(order)).toBe('open');
      await bring(proves(entry));
      expect(await statusOf(order)).toBe('paid');
      expect(await lineCalled(e2e)).toMatchObject({ state: 'matched', unproven: null });
    }
    await expectHealthy(app);
  });

  it.each(UNPROVEN)('pays nothing where it was announced before: %s', async (_, reason, write) => {
    const { order, e2e, entry } = await waiting();
    await bring(camtFile('052', statement({}, { ...entry, status: 'announced' })));
    expect(await lineCalled(e2e)).toMatchObject({ state: 'announced', unproven: null });
    await bring(write(entry));
    expect(await lineCalled(e2e)).toMatchObject({ state: 'suggested', reason });
    expect(await statusOf(order)).toBe('open');
  });

  it('changes nothing of what was paid by another', async () => {
    const { order, e2e, entry } = await waiting();
    await bring(camtFile('054', statement({}, entry)));
    await bring(camtFile('053', statement(WRONG, entry)));
    expect(await statusOf(order)).toBe('paid');
    expect(await lineCalled(e2e)).toMatchObject({ state: 'matched', unproven: null });
    await expectHealthy(app);
  });

  it('pays no part of it before the end is known, however long the statement is', async () => {
    const orders = await Promise.all(Array.from({ length: 12 }, () => waiting()));
    await bring(camtFile('053', statement(WRONG, ...orders.map(({ entry }) => entry))));
    for (const { order } of orders) expect(await statusOf(order)).toBe('open');
  });

  it('moves no payout, and takes nothing back', async () => {
    await paidOrder(shop, 5_000);
    const cashier = await Cashier.of(app, shop);
    const { id, amount } = await cashier.exported(1_000);
    const { order, e2e, entry } = await waiting();
    await bring(camtFile('054', statement({}, entry)));
    const out = { amount, direction: 'out', e2e: withoutDashes(id) } as const;
    const back = { amount: entry.amount, direction: 'out', reversal: true, e2e } as const;
    await bring(camtFile('053', statement(WRONG, out, back)));
    expect(await lineCalled(withoutDashes(id))).toMatchObject({ reason: 'unknown_money_out' });
    expect((await shop.read(order.txid)).body).toMatchObject({ exception: 'none' });
    // Until a statement proves both.
    await bring(camtFile('053', statement({}, out, back)));
    expect(await lineCalled(withoutDashes(id))).toMatchObject({ reason: 'payout_paid' });
    expect((await shop.read(order.txid)).body).toMatchObject({ exception: 'charged_back' });
    await expectHealthy(app);
  });
});

describe('CSV of a profile that somebody wrote, without balances', () => {
  const HEAD = 'Booked;Text;Amount;Currency;Name;EndToEnd\n';
  const {
    bookedOn,
    amount: sum,
    currency,
    name,
    text: words,
    endToEndId,
  } = csvProfileOf('').columns;
  const columns = { bookedOn, amount: sum, currency, name, text: words, endToEndId };
  const profile = { ...csvProfileOf(OWN_ACCOUNT), columns };
  const day = DAY.split('-').toReversed().join('.');
  const money = (minor: number) => (minor / 100).toFixed(2).replace('.', ',');

  it('pays nothing by itself: amounts can be read wrong, and a payer can move them', async () => {
    const [forged, honest] = [await waiting(), await waiting()];
    // One cent, of somebody called `A"`, with a text up to the other quote.
    const typed = `${forged.entry.text};${money(forged.amount)};EUR;"x`;
    const rows = [
      `${day};${typed};0,01;EUR;A";${forged.e2e}`,
      `${day};${honest.entry.text};${money(honest.amount)};EUR;B;${honest.e2e}`,
    ];
    await bring(`${HEAD}${rows.join('\n')}\n`, profile);
    const reason = 'statement_without_balance';
    expect(await lineCalled(forged.e2e)).toMatchObject({
      amount: forged.amount,
      state: 'suggested',
      reason,
      unproven: reason,
    });
    for (const { order } of [forged, honest]) expect(await statusOf(order)).toBe('open');
    // Until a statement with balances tells of the bookings.
    await bring(camtFile('053', statement({}, forged.entry, honest.entry)));
    for (const { order } of [forged, honest]) expect(await statusOf(order)).toBe('paid');
    await expectHealthy(app);
  });
});

describe('what reports within a day tell', () => {
  it('pays as before: they have no balances', async () => {
    for (const message of ['052', '054'] as const) {
      const { order, entry } = await waiting();
      await bring(camtFile(message, statement({}, entry)));
      expect(await statusOf(order)).toBe('paid');
    }
  });

  it('keeps the facts whole when it is announced with balances, and booked by the statement', async () => {
    const { order, entry } = await waiting();
    const announced = statement({}, { ...entry, status: 'announced' });
    const [balances] = BALANCES.exec(camtFile('053', announced))!;
    await bring(camtFile('052', announced).replace('<Ntry>', `${balances}<Ntry>`));
    await expectHealthy(app);
    await bring(camtFile('053', statement({}, entry)));
    expect(await statusOf(order)).toBe('paid');
    await expectHealthy(app);
  });
});

describe('the balances of an account', () => {
  it('show on its first day, too, what does not fit', async () => {
    const account = 'DE02120300000000202051';
    await collectionAccount(app, account);
    await bring(camtFile('053', { ...statement({ closing: 0 }, { amount: 5_000_000 }), account }));
    const filter = { mode: 'test', account, from: null, until: null } as const;
    expect(await app.get(BankBalanceService).days(filter)).toMatchObject([
      { opening: 0, closing: 0, unmatched: 5_000_000, unexplained: -5_000_000 },
    ]);
  });
});

describe('a credit that names an order and something else', () => {
  it('waits for a person, in whatever order they are named', async () => {
    const other = await waiting();
    const strange = other.entry.text;
    await select(app, 'DELETE FROM transfer_references WHERE txid = $1', [other.order.txid]);
    for (const texts of [
      (own: string) => `${own} ${strange}`,
      (own: string) => `${strange} ${own}`,
    ]) {
      const { order, e2e, entry } = await waiting();
      await bring(camtFile('054', statement({}, { ...entry, text: texts(entry.text) })));
      expect(await lineCalled(e2e)).toMatchObject({
        state: 'suggested',
        reason: 'another_unknown_reference',
      });
      expect(await statusOf(order)).toBe('open');
    }
    // What a bank keeps of an earlier transfer is no such thing.
    const { order, entry } = await waiting();
    await bring(camtFile('054', statement({}, { ...entry, e2e: strange })));
    expect(await statusOf(order)).toBe('paid');
    expect(await lineOf(app, (await lineCalled(strange)).id)).toMatchObject({
      reason: 'reference',
    });
  });
});
