import { describe, expect, it } from '@jest/globals';
import { BankBalanceService } from '../src/bank/import/balance.service.js';
import { BankImportService } from '../src/bank/import/import.service.js';
import { ManualReconciliation } from '../src/bank/matching/manual-reconciliation.service.js';
import { withoutDashes } from '../src/common/ids.js';
import type { CsvProfile } from '../src/bank-statements/csv/csv-profile.js';
import { CSV_PROFILES } from '../src/bank-statements/csv/csv-profiles.js';
import type { BankLine } from '../src/database/bank/lines/bank-line.entity.js';
import { BankLineRepository } from '../src/database/bank/lines/bank-line.repository.js';
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
import { select, withoutTriggers } from './support/facts.js';
import { expectHealthy, expectSound } from './support/payout-invariants.js';
import { Cashier, paidOrder, PAYS } from './support/payouts.js';
import { person } from './support/people.js';
import { confirmNoTotals } from './support/no-totals.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop({ env: PAYS });
await confirmNoTotals(app);
await collectionAccount(app);
const reconciliation = app.get(ManualReconciliation);
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
    expect(await reconciliation.matchManually('test', line.id, [part], operator.id, 'Seen')).toBe(
      'matched',
    );
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

describe('CSV of a profile that somebody wrote, with balances', () => {
  const day = DAY.split('-').toReversed().join('.');
  const money = (minor: number) => (minor / 100).toFixed(2).replace('.', ',');
  /** Amounts without a sign: what a column says that the profile does not name is not read. */
  const HEAD = 'Booked;Amount;Currency;Art;Name;Text;EndToEnd;Balance\n';
  const {
    bookedOn,
    amount: sum,
    currency,
    name,
    text,
    endToEndId,
    balance,
  } = csvProfileOf('').columns;
  const columns = { bookedOn, amount: sum, currency, name, text, endToEndId, balance };
  const profile = { ...csvProfileOf(OWN_ACCOUNT), columns: columns as CsvProfile['columns'] };

  interface Row {
    readonly amount: number;
    readonly balance?: number;
    readonly said?: string;
    readonly text?: string;
    readonly e2e?: string;
    readonly on?: string;
  }
  const write = (...rows: readonly Row[]): string =>
    HEAD +
    rows
      .map(
        ({ amount, balance: after, said = 'Gutschrift', text: words = 'x', e2e = '', on = day }) =>
          [
            on,
            money(amount),
            'EUR',
            said,
            'Erika',
            words,
            e2e,
            after === undefined ? '' : money(after),
          ].join(';'),
      )
      .join('\n');
  const OPENING = 9_000_000;
  const OTHER = { amount: 700, on: day };

  it.each([
    ['in a file of one row', (row: Row) => [{ ...row, balance: OPENING }]],
    [
      'as the first, oldest first',
      (row: Row) => [
        { ...row, balance: OPENING },
        { ...OTHER, balance: OPENING + 700 },
      ],
    ],
    [
      'as the last, newest first',
      (row: Row) => [
        { ...OTHER, balance: OPENING + 700 },
        { ...row, balance: OPENING },
      ],
    ],
    ['on a day with one balance', (row: Row) => [row, { ...OTHER, balance: OPENING }]],
  ])('pays nothing by money that went out: %s', async (_, rows) => {
    const { order, amount, e2e, entry } = await waiting();
    const gone = { amount, e2e, text: entry.text!, said: 'Belastung' };
    await bring(write(...rows(gone)), profile);
    expect(await lineCalled(e2e)).toMatchObject({
      state: 'suggested',
      unproven: 'statement_without_balance',
    });
    expect(await statusOf(order)).toBe('open');
  });

  it.each(['oldest first', 'newest first'])(
    'pays by what follows from two balances, %s',
    async (first) => {
      const [open, sure] = [await waiting(), await waiting()];
      const rowOf = ({ amount, e2e, entry }: typeof open, after: number) => ({
        amount,
        e2e,
        text: entry.text!,
        balance: after,
      });
      const rows = [rowOf(open, OPENING), rowOf(sure, OPENING + sure.amount)];
      await bring(write(...(first === 'oldest first' ? rows : rows.toReversed())), profile);
      expect(await statusOf(sure.order)).toBe('paid');
      expect(await statusOf(open.order)).toBe('open');
      // A file that begins earlier proves the other one, too.
      const before = { ...OTHER, balance: OPENING - open.amount };
      await bring(write(before, ...rows), profile);
      expect(await statusOf(open.order)).toBe('paid');
      await expectHealthy(app);
    },
  );

  it('pays nothing by a file that may be in cents, balances and all', async () => {
    const { order, amount, e2e, entry } = await waiting();
    const before = { ...OTHER, balance: OPENING - amount };
    const paid = { amount, e2e, text: entry.text!, balance: OPENING };
    await bring(write(before, paid).replaceAll(',00', ''), profile);
    const unproven = 'statement_without_balance';
    expect(await lineCalled(e2e)).toMatchObject({ amount, state: 'suggested', unproven });
    expect(await statusOf(order)).toBe('open');
    // One number with decimals shows that the others are no cents.
    await bring(write(before, paid).replace(',00;EUR', ';EUR'), profile);
    expect(await statusOf(order)).toBe('paid');
    await expectHealthy(app);
  });

  const WISE = { ...CSV_PROFILES.find((each) => each.name === 'wise')!, ownAccount: OWN_ACCOUNT };
  const WISE_HEAD =
    'TransferWise ID,Date,Amount,Currency,Description,Payment Reference,Running Balance,Payer Name\n';

  it('pays by rows of a profile that comes along likewise', async () => {
    const { order, amount, entry } = await waiting();
    const on = DAY.split('-').toReversed().join('-');
    const row = (minor: number, balance: number, text = '') =>
      `T-${balance},${on},${(minor / 100).toFixed(2)},EUR,Received,${text},${(balance / 100).toFixed(2)},Ada\n`;
    const alone = row(amount, 700 + amount, entry.text);
    await bring(WISE_HEAD + alone, WISE);
    expect(await statusOf(order)).toBe('open');
    await bring(WISE_HEAD + row(700, 700) + alone, WISE);
    expect(await statusOf(order)).toBe('paid');
    await expectHealthy(app);
  });

  it('pays nothing by a profile that comes along without balances, until another file does', async () => {
    const [forged, honest] = [await waiting(), await waiting()];
    const { columns: of, ...sparkasse } = CSV_PROFILES.find((each) => each.name === 'sparkasse')!;
    const head = [...Object.values(of).flat(), 'Auftragskonto'];
    const row = (cells: Record<string, string>) =>
      head.map((column) => cells[column] ?? '').join(';');
    const rest = { [of.currency!]: 'EUR', [of.status!]: 'Umsatz gebucht' };
    const rowOf = (minor: number, written: string) =>
      row({ ...rest, [of.bookedOn]: day, [of.amount!]: money(minor), [of.text[0]!]: written });
    // A text of several lines, in quotes that the bank does not set.
    const line = rowOf(forged.amount, forged.entry.text!);
    const rows = [rowOf(1, `x\n${line}\n${day};y`), rowOf(honest.amount, honest.entry.text!)];
    const profile = { ...sparkasse, columns: of, ownAccount: OWN_ACCOUNT };
    await bring(`${head.join(';')}\n${rows.join('\n')}\n`, profile);
    for (const { order } of [forged, honest]) expect(await statusOf(order)).toBe('open');
    await bring(camtFile('053', statement({}, { ...honest.entry, bookedOn: DAY })));
    expect(await statusOf(honest.order)).toBe('paid');
    expect(await statusOf(forged.order)).toBe('open');
    await expectHealthy(app);
  });

  /** The columns of a bank that sets no quotes. */
  const PLAIN = {
    ...csvProfileOf(OWN_ACCOUNT),
    columns: {
      bookedOn: 'Day',
      text: ['Text'],
      name: 'Name',
      account: 'IBAN',
      endToEndId: 'EndToEnd',
      amount: 'Amount',
      currency: 'Currency',
      balance: 'Balance',
    },
  } as const;
  const PLAIN_HEAD = 'Day;Text;Name;IBAN;EndToEnd;Amount;Currency;Balance\n';
  const honestRow = (balance: number) =>
    `${day};Hello;Anna;DE89370400440532013000;H${balance};1,00;EUR;${money(balance)}`;
  const BALANCE = 40_000_000;

  it('pays nothing by rows that cancel out, which line breaks of a payer made', async () => {
    const { order, amount, entry } = await waiting();
    const forged = `${entry.text};M;;f1;${money(amount)};EUR;\n${day};x;M;;f2;-${money(amount)};EUR;\n${day};bye`;
    const rows = [
      honestRow(BALANCE),
      `${day};${forged};M;NL91ABNA0417164300;E;2,00;EUR;${money(BALANCE + 200)}`,
      honestRow(BALANCE + 300),
    ];
    await bring(`${PLAIN_HEAD}${rows.join('\n')}\n`, PLAIN);
    expect(await lineCalled('f1')).toMatchObject({ amount, state: 'suggested' });
    expect(await statusOf(order)).toBe('open');
    await expectHealthy(app);
  });

  it('counts one booking once where a payer forged another account beside it', async () => {
    const { order, amount, entry } = await waiting();
    // No other test has such an amount.
    const half = amount / 2 + 7;
    const payer = { iban: 'NL91ABNA0417164300', name: 'Mallory' };
    await bring(
      camtFile('052', statement({}, { ...entry, amount: half, payer, e2e: `E-${half}` })),
    );
    const rows = [
      honestRow(BALANCE),
      `${day};"${entry.text} x;Mallory;NL91ABNA0417164300;y";Victim;DE02120300000000202051;z;${money(half)};EUR;${money(BALANCE + half)}`,
      honestRow(BALANCE + half + 100),
    ];
    await bring(`${PLAIN_HEAD}${rows.join('\n')}\n`, PLAIN);
    const { body } = await shop.read(order.txid);
    expect(body).toMatchObject({ status: 'open', amountReceived: half });
    await expectHealthy(app);
  });

  it('counts one booking once where a row that is not proven tells of it beside one that is', async () => {
    const { order, amount, entry } = await waiting();
    // No other test has such an amount.
    const half = amount / 2 + 7;
    const paid = { ...entry, amount: half, payer: {} };
    await bring(camtFile('052', statement({}, paid)));
    const row = (balance: string) =>
      `${day};${entry.text};M;;${entry.e2e};${money(half)};EUR;${balance}`;
    // The first of them is a payer's: it has taken the place of what was there, once.
    const rows = [
      row(''),
      honestRow(BALANCE),
      honestRow(BALANCE + 100),
      row(money(BALANCE + 100 + half)),
      honestRow(BALANCE + 200 + half),
    ];
    await bring(`${PLAIN_HEAD}${rows.join('\n')}\n`, PLAIN);
    const { body } = await shop.read(order.txid);
    expect(body).toMatchObject({ status: 'open', amountReceived: half });
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
    await withoutTriggers(app, 'DELETE FROM transfer_references WHERE txid = $1', [
      other.order.txid,
    ]);
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
