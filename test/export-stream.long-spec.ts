import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { maskAccount } from '../src/common/mask.js';
import { DatabaseCopy } from '../src/database/copy/copy.js';
import { guarded, majorUnits } from '../src/database/exports/export-source.statements.js';
import { ExportStreamService } from '../src/exports/export-stream.service.js';
import { ApprovalsService } from '../src/payouts/approvals.service.js';
import { PayoutFilesService } from '../src/payouts/payout-files.service.js';
import { PayoutsService } from '../src/payouts/payouts.service.js';
import { initials } from '../src/portal/order-list/order-line.js';
import { TestApp } from './support/app.js';
import type { Client } from './support/client.js';
import { onPostgres } from './support/database.js';
import {
  exported,
  EVERYTHING,
  readRows,
  requestOf,
  rowsIn,
  writeOrders,
} from './support/exports.js';
import { count, select } from './support/facts.js';
import { Cashier, paidOrder, PAYS } from './support/payouts.js';
import { until } from './support/race.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start({ env: PAYS });
});
afterAll(() => app.stop());

const setOrder = (txid: string, assignment: string, value: unknown) =>
  select(app, `UPDATE orders SET ${assignment} = $2 WHERE txid = $1`, [txid, value]);

/** An order that was made at this moment. */
async function orderAt(shop: Client, moment: string, more: Record<string, unknown> = {}) {
  app.clock.set(new Date(moment));
  return shop.order(more);
}

const FIXED = [
  'txid',
  'order_merchant_id',
  'mode',
  'status',
  'status_reason',
  'exception',
  'created_at',
  'created_at_utc',
  'paid_at',
  'paid_at_utc',
  'amount',
  'currency',
  'amount_received',
  'amount_refunded',
  'fee',
  'net',
  'payment_provider',
  'payment_method',
  'provider_reference',
  'payer_account_number',
  'payer_account_type',
  'payer_account_name',
  'customer_name',
  'customer_email',
  'description',
  'payout_id',
  'payout_date',
  'payout_date_utc',
];

describe('a file', () => {
  it('has every column of a paid order', async () => {
    const shop = await app.merchant();
    const order = await orderAt(shop, '2026-11-20T13:21:07.250Z', {
      orderMerchantId: 'A-1',
      amount: 8990,
      description: 'Two chairs, "oak"; 1 m\u00b2',
      customer: { name: 'Erika Müller', email: 'erika@mail.example' },
      optionalFields: { 'room;size': 'a,b', campaign: '"x"' },
    });
    app.clock.set(new Date('2026-11-20T13:22:08.000Z'));
    const { body } = await shop.pay(order.txid);
    const [row, ...others] = await readRows(app, requestOf(shop));
    expect(others).toEqual([]);
    expect(Object.keys(row!)).toEqual([...FIXED, 'field.campaign', 'field.room;size']);
    expect(row).toEqual({
      txid: order.txid,
      order_merchant_id: 'A-1',
      mode: 'test',
      status: 'paid',
      status_reason: 'exact',
      exception: 'none',
      created_at: '2026-11-20T14:21:07.250+01:00',
      created_at_utc: '2026-11-20T13:21:07.250Z',
      paid_at: '2026-11-20T14:22:08.000+01:00',
      paid_at_utc: '2026-11-20T13:22:08.000Z',
      amount: '89.90',
      currency: 'EUR',
      amount_received: '89.90',
      amount_refunded: '0.00',
      fee: '0.00',
      net: '89.90',
      payment_provider: 'sandbox',
      payment_method: body.payment!['method'],
      provider_reference: body.payment!['providerReference'],
      payer_account_number: 'DE89370400440532013000',
      payer_account_type: 'iban',
      payer_account_name: 'Erika Mustermann',
      customer_name: 'Erika Müller',
      customer_email: 'erika@mail.example',
      description: 'Two chairs, "oak"; 1 m\u00b2',
      payout_id: '',
      payout_date: '',
      payout_date_utc: '',
      'field.campaign': '"x"',
      'field.room;size': 'a,b',
    });
  });

  it('tells what an order costs, and which payout pays it', async () => {
    const cashier = await Cashier.of(app, await app.merchant());
    const { shop } = cashier;
    const rate = `INSERT INTO fee_rates (merchant_id, provider, currency, parts_per_million, fixed,
      updated_at) VALUES ($1, 'sandbox', 'EUR', 29000, 30, now())`;
    await select(app, rate, [shop.merchantId]);
    await paidOrder(shop, 10_000, { received: 10_500 });
    app.clock.advance(1_000);
    const open = await shop.order();
    const request = requestOf(shop, {
      columns: ['txid', 'fee', 'net', 'payout_id', 'payout_date'],
    });
    const payoutIn = async () => {
      const [unpaid, { payout_id, payout_date, payout_date_utc, ...rest } = {}] = await readRows(
        app,
        request,
      );
      expect(unpaid).toMatchObject({ txid: open.txid, fee: '', net: '', payout_id: '' });
      expect(rest).toMatchObject({ fee: '3.20', net: '96.80' });
      return [payout_id, payout_date, payout_date_utc];
    };
    const rejected = await cashier.request(9_680);
    expect(await payoutIn()).toEqual([rejected.id, '', '']);
    await app.get(ApprovalsService).reject(cashier.scope, rejected.id, 'Not now');
    expect(await payoutIn()).toEqual(['', '', '']);
    const [older, newer] = [await cashier.request(9_000), await cashier.request(680)];
    expect(await payoutIn()).toEqual([newer.id, '', '']);
    await app.get(PayoutsService).cancel(cashier.scope, newer.id);
    app.clock.set(new Date('2026-11-21T23:30:00.000Z'));
    await cashier.approve(older);
    const { id: fileId } = await cashier.export();
    await app.get(PayoutFilesService).submitted(fileId);
    await app.get(PayoutFilesService).paid(fileId);
    expect(await payoutIn()).toEqual([
      older.id,
      '2026-11-22T00:30:00.000+01:00',
      '2026-11-21T23:30:00.000Z',
    ]);
    const paidOut = { ...request, filter: { ...EVERYTHING, payout: older.id } };
    expect(await readRows(app, paidOut)).toHaveLength(1);
    expect(await readRows(app, { ...paidOut, preset: 'excel' })).toMatchObject([
      { 'payout_date (Europe/Berlin)': '2026-11-22 00:30:00' },
    ]);
    await app.get(PayoutFilesService).ended(older, 'returned', 'Account closed', cashier.owner.id);
    expect(await payoutIn()).toEqual(['', '', '']);
  });

  it('has exactly the rows of its filter, newest first, and nobody else’s', async () => {
    const [shop, other] = [await app.merchant(), await app.merchant()];
    const made: string[] = [];
    for (let day = 10; day < 15; day++) {
      made.unshift((await orderAt(shop, `2026-03-${day}T00:00:00.000Z`)).txid);
      await orderAt(other, `2026-03-${day}T00:00:00.000Z`);
    }
    await shop.cancel(made[1]!);
    const txids = async (filter: Partial<typeof EVERYTHING>): Promise<string[]> => {
      const request = requestOf(shop, { filter: { ...EVERYTHING, ...filter }, columns: ['txid'] });
      return (await readRows(app, request)).map(({ txid }) => txid!);
    };
    expect(await txids({})).toEqual(made);
    expect(await txids({ statuses: ['cancelled'] })).toEqual([made[1]]);
    const from = new Date('2026-03-11T00:00:00.000Z');
    const before = new Date('2026-03-13T00:00:00.000Z');
    expect(await txids({ from, until: before })).toEqual(made.slice(2, 4));
    expect(await txids({ search: `x' OR true --` })).toEqual([]);
    expect(await txids({ field: { name: `'`, value: `$1'; DROP TABLE orders; --` } })).toEqual([]);
    const live = requestOf(shop, { scope: { merchantId: shop.merchantId, mode: 'live' } });
    expect(await readRows(app, live)).toEqual([]);
  });

  it('across merchants has the merchant in front', async () => {
    const shop = await app.merchant({ name: '=Shop "A"' });
    const { txid } = await orderAt(shop, '2027-01-01T00:00:00.000Z');
    const request = requestOf(shop, {
      scope: { merchantId: null, mode: 'test' },
      columns: ['amount', 'txid'],
    });
    const [first] = await readRows(app, request);
    expect(first).toEqual({ merchant: `'=Shop "A"`, txid, amount: '89.90' });
    expect(Object.keys(first!)).toEqual(['merchant', 'txid', 'amount']);
  });

  it('is refused for columns and zones that do not exist', async () => {
    const shop = await app.merchant();
    const service = app.get(ExportStreamService);
    for (const request of [
      { columns: ['txid', 'merchant'] },
      { columns: ['o.txid'] },
      { columns: ['field.'] },
      { columns: [] },
      { timeZone: `UTC'; DROP TABLE orders; --` },
    ]) {
      const asked = service.stream(requestOf(shop, request));
      await expect(asked).rejects.toMatchObject({ code: 'invalid_parameter' });
    }
    expect(app.get(DatabaseCopy).count('download')).toBe(0);
  });

  it.each([
    ['DE89 3704 0044 0532 0130 00', 'iban', 'Erika Mustermann'],
    ['12345678', 'domestic', ' Ä  \u{1f600}lf  van der Berg '],
    ['1234567', 'domestic', 'Madonna'],
    ['**** 4242', 'masked_card', 'A\tB'],
    ['paula@x@wallet.example', 'email', 'Paula (at home)'],
    ['12 34 56 78 9', 'unknown', '-'],
  ] as const)('hides who pays as the pages do: %s', async (number, type, name) => {
    const shop = await app.merchant();
    const { txid } = await shop.order({ customer: { name: 'Erika', email: 'e@mail.example' } });
    await shop.pay(txid);
    const set = 'payer_account_number = $2, payer_account_type = $3, payer_account_name = $4';
    await select(app, `UPDATE payments SET ${set} WHERE txid = $1`, [txid, number, type, name]);
    await setOrder(txid, 'customer_name', name);
    const [row] = await readRows(app, requestOf(shop, { maskPayer: true }));
    const shownName = initials(name);
    const account = maskAccount(number, type);
    expect(row).toMatchObject({
      payer_account_number: account,
      payer_account_type: type,
      payer_account_name: shownName.startsWith('-') ? `'${shownName}` : shownName,
      customer_email: 'e••••@mail.example',
    });
    expect(account === number).toBe(type === 'masked_card');
  });
});

describe('cells', () => {
  const HOSTILE = [
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    '＝1',
    '＋1',
    '－1',
    '＠x',
  ];

  it('with text never begin a formula', async () => {
    const shop = await app.merchant();
    const order = await shop.order({ optionalFields: { evil: '=1' } });
    for (const text of HOSTILE) {
      await setOrder(order.txid, 'description', text);
      await setOrder(order.txid, 'customer_name', text);
      const fields = JSON.stringify({ evil: text });
      await setOrder(order.txid, 'optional_fields', fields);
      for (const preset of ['machine', 'excel'] as const) {
        const [row] = rowsIn(await exported(app, requestOf(shop, { preset })));
        const guardedText = `'${text.replace(/(?<=\s)=/, `'=`)}`;
        expect(row).toMatchObject({
          description: guardedText,
          customer_name: guardedText,
          'field.evil': guardedText,
        });
      }
    }
  });

  // Excel splits the file for programs at semicolons where the country does, quotes or not.
  it('with text never begin a formula where the file is split at another sign', async () => {
    const shop = await app.merchant();
    const TEXTS = {
      'x;=1;-2,@3': `x;'=1;'-2,'@3`,
      'x,+1': `x,'+1`,
      'x\t＝1': `x\t'＝1`,
      'x\n-1': `x\n'-1`,
      'x;"=1;y"': `x;"'=1;y"`,
      '=1;=1': `'=1;'=1`,
    };
    const { txid } = await shop.order({ optionalFields: { 'a;=1': '1' } });
    for (const [text, guardedText] of Object.entries(TEXTS)) {
      await setOrder(txid, 'description', text);
      await setOrder(txid, 'optional_fields', JSON.stringify({ 'a;=1': text }));
      for (const preset of ['machine', 'excel'] as const) {
        const [row] = rowsIn(await exported(app, requestOf(shop, { preset })));
        expect(row).toMatchObject({ description: guardedText, [`field.a;'=1`]: guardedText });
      }
    }
  });

  it.each(['a=1', ' =1', `'=1`, '1-2', 'ä', '', '\u2212 5', 'Smith, John; -5 EUR, see "a-b"; c=d'])(
    'with %j stay',
    async (text) => {
      const shop = await app.merchant();
      const { txid } = await shop.order();
      await setOrder(txid, 'description', text);
      const [row] = await readRows(app, requestOf(shop));
      expect(row!['description']).toBe(text);
    },
  );

  it('keep quotes, line breaks and every character', async () => {
    const shop = await app.merchant();
    const text = 'a"b""c,d;e\r\nf\ng\r"\n"h 🪑 \\. \\N';
    const { txid } = await shop.order();
    await setOrder(txid, 'description', text);
    for (const preset of ['machine', 'excel'] as const) {
      const file = await exported(app, requestOf(shop, { preset }));
      expect(rowsIn(file)[0]!['description']).toBe(text);
    }
  });

  it('with amounts are numbers in the currency’s own digits', async () => {
    const amounts = `(VALUES ('EUR', 8990), ('EUR', 5), ('EUR', -5), ('EUR', -123456), ('JPY', 1000),
      ('JPY', -7), ('KWD', 1000), ('KWD', -1), ('EUR', 99999999999), ('EUR', 0), ('USD', NULL)) v (c, n)`;
    const sql = `SELECT ${majorUnits('n', 'c')} AS major FROM ${amounts}`;
    expect((await select<{ major: string }>(app, sql)).map(({ major }) => major)).toEqual([
      '89.90',
      '0.05',
      '-0.05',
      '-1234.56',
      '1000',
      '-7',
      '1.000',
      '-0.001',
      '999999999.99',
      '0.00',
      null,
    ]);
    const shop = await app.merchant();
    await orderAt(shop, '2026-05-01T00:00:00Z', { amount: 99_999_999_999, currency: 'EUR' });
    await orderAt(shop, '2026-05-02T00:00:00Z', { amount: 1000, currency: 'JPY' });
    await orderAt(shop, '2026-05-03T00:00:00Z', { amount: 1234, currency: 'KWD' });
    const request = requestOf(shop, { columns: ['amount'] });
    const file = async (more: object) => (await exported(app, { ...request, ...more })).toString();
    expect(await file({})).toBe('amount\n1.234\n1000\n999999999.99\n');
    expect(await file({ preset: 'excel', locale: 'de' })).toBe(
      '\uFEFFamount\r\n1,234\r\n1000\r\n999999999,99\r\n',
    );
  });

  it('guard what a database function gives too', async () => {
    const sql = `SELECT ${guarded(`NULLIF(v, '')`)} AS cell FROM (VALUES ('=a'), (''), ('b')) x (v)`;
    expect(await select(app, sql)).toEqual([{ cell: `'=a` }, { cell: null }, { cell: 'b' }]);
  });
});

describe('presets', () => {
  const columns = ['order_merchant_id', 'created_at', 'amount', 'description'];
  let shop: Client;

  beforeAll(async () => {
    shop = await app.merchant();
    await orderAt(shop, '2026-07-01T22:30:00.999Z', {
      orderMerchantId: 'B-1',
      amount: 123_450,
      description: 'x;y,z',
    });
  });

  const text = async (more: object): Promise<string> =>
    (await exported(app, requestOf(shop, { columns, ...more }))).toString();

  it('machine', async () => {
    expect(await text({ preset: 'machine', locale: 'de' })).toBe(
      'order_merchant_id,created_at,created_at_utc,amount,description\n' +
        'B-1,2026-07-02T00:30:00.999+02:00,2026-07-01T22:30:00.999Z,1234.50,"x;y,z"\n',
    );
  });

  it('excel where numbers have a comma', async () => {
    expect(await text({ preset: 'excel', locale: 'de' })).toBe(
      '\uFEFForder_merchant_id;created_at (Europe/Berlin);created_at_utc;amount;description\r\n' +
        'B-1;2026-07-02 00:30:00;2026-07-01 22:30:00;1234,50;"x;y,z"\r\n',
    );
  });

  it('excel where numbers have a point', async () => {
    expect(await text({ preset: 'excel', locale: 'en', timeZone: 'UTC' })).toBe(
      '\uFEFForder_merchant_id,created_at (UTC),created_at_utc,amount,description\r\n' +
        'B-1,2026-07-01 22:30:00,2026-07-01 22:30:00,1234.50,"x;y,z"\r\n',
    );
  });

  it('have their first line without any row', async () => {
    const nobody = { ...(await app.merchant()), columns: ['txid', 'amount'] };
    expect(String(await exported(app, requestOf(nobody, { columns: ['txid'] })))).toBe('txid\n');
    const excel = requestOf(nobody, { columns: ['txid'], preset: 'excel' });
    expect(String(await exported(app, excel))).toBe('\uFEFFtxid\r\n');
  });

  it('tell mode, days and type of the file', async () => {
    const service = app.get(ExportStreamService);
    const named = async (filter: Partial<typeof EVERYTHING>): Promise<string> => {
      const request = requestOf(shop, { filter: { ...EVERYTHING, ...filter } });
      const { filename, contentType, stream } = await service.stream(request);
      expect(contentType).toBe('text/csv; charset=utf-8; header=present');
      stream.destroy();
      return filename;
    };
    app.clock.set(new Date('2026-07-01T22:30:00.000Z'));
    const from = new Date('2026-05-31T22:00:00.000Z');
    const before = new Date('2026-06-30T22:00:00.000Z');
    expect(await named({})).toBe('orders-test-2026-07-02.csv');
    expect(await named({ from })).toBe('orders-test-2026-06-01.csv');
    expect(await named({ until: before })).toBe('orders-test-to-2026-06-30.csv');
    expect(await named({ from, until: before })).toBe('orders-test-2026-06-01-to-2026-06-30.csv');
  });
});

describe('zones', () => {
  it.each([
    ['Europe/Berlin', '2026-10-25T00:30:00.000Z', '02:30:00', '02:30:00.000+02:00'],
    ['Europe/Berlin', '2026-10-25T01:30:00.000Z', '02:30:00', '02:30:00.000+01:00'],
    ['Europe/Berlin', '2026-03-29T00:59:59.000Z', '01:59:59', '01:59:59.000+01:00'],
    ['Europe/Berlin', '2026-03-29T01:00:00.000Z', '03:00:00', '03:00:00.000+02:00'],
    ['America/Sao_Paulo', '2026-10-25T04:00:00.000Z', '01:00:00', '01:00:00.000-03:00'],
    ['America/Sao_Paulo', '2018-11-04T02:59:59.000Z', '23:59:59', '23:59:59.000-03:00'],
    ['America/Sao_Paulo', '2018-11-04T03:00:00.000Z', '01:00:00', '01:00:00.000-02:00'],
    ['America/St_Johns', '2026-01-15T12:00:00.000Z', '08:30:00', '08:30:00.000-03:30'],
    ['Asia/Kathmandu', '2026-01-15T12:00:00.000Z', '17:45:00', '17:45:00.000+05:45'],
  ])('%s at %s', async (timeZone, moment, local, rfc3339) => {
    const shop = await app.merchant();
    await orderAt(shop, moment);
    const request = requestOf(shop, { timeZone, columns: ['created_at'] });
    const [row] = await readRows(app, request);
    expect(row!['created_at']!.slice(11)).toBe(rfc3339);
    expect(new Date(row!['created_at']!).toISOString()).toBe(moment);
    expect(row!['created_at_utc']).toBe(moment);
    const [excel] = await readRows(app, { ...request, preset: 'excel' });
    expect(excel![`created_at (${timeZone})`]!.slice(11)).toBe(local);
  });
});

describe('optional fields', () => {
  it('get columns when they occur in the rows, or are chosen', async () => {
    const shop = await app.merchant();
    await orderAt(shop, '2026-02-01T00:00:00.000Z', { optionalFields: { old: 'o' } });
    await orderAt(shop, '2026-02-02T00:00:00.000Z', { optionalFields: { b: '1', a: `'` } });
    const from = new Date('2026-02-02T00:00:00.000Z');
    const filter = { ...EVERYTHING, from };
    const [row] = await readRows(app, requestOf(shop, { filter }));
    expect(Object.keys(row!).slice(FIXED.length)).toEqual(['field.a', 'field.b']);
    expect(row).toMatchObject({ 'field.a': `'`, 'field.b': '1' });
    const columns = ['field.b', 'field.none', 'txid'];
    const [chosen] = await readRows(app, requestOf(shop, { filter, columns }));
    expect(Object.entries(chosen!).slice(1)).toEqual([
      ['field.b', '1'],
      ['field.none', ''],
    ]);
  });

  it('that only older rows have are not lost in a long file', async () => {
    const shop = await app.merchant();
    app.clock.set(new Date('2026-02-01T00:00:00.000Z'));
    await orderAt(shop, '2026-02-01T00:00:00.000Z', { optionalFields: { old: 'o' } });
    await writeOrders(app, shop, 20_000, new Date('2026-03-01T00:00:00.000Z'));
    const rows = await readRows(app, requestOf(shop));
    expect(rows).toHaveLength(20_001);
    expect(rows.at(-1)).toMatchObject({ 'field.old': 'o' });
  });

  it('beyond a hundred share a column', async () => {
    const shop = await app.merchant();
    for (let n = 0; n < 6; n++) {
      const entries = Array.from({ length: 20 }, (_, m) => [`f${100 + n * 20 + m}`, `${n};=${m}`]);
      app.clock.advance(1_000);
      await shop.order({ optionalFields: Object.fromEntries(entries) });
    }
    const rows = await readRows(app, requestOf(shop));
    expect(Object.keys(rows[0]!).filter((name) => name.startsWith('field.'))).toHaveLength(100);
    expect(JSON.parse(rows[0]!['other_fields']!)).toMatchObject({ f200: `5;'=0`, f219: `5;'=19` });
    expect(rows[0]).toMatchObject({ 'field.f100': '' });
    expect(rows[5]).toMatchObject({ 'field.f100': `0;'=0`, other_fields: '' });
  });
});

describe('readers', () => {
  const ROWS = 20_000;
  let shop: Client;

  beforeAll(async () => {
    shop = await app.merchant();
    await writeOrders(app, shop, ROWS);
  });

  const start = async (options: object = {}, client: Pick<Client, 'merchantId'> = shop) => {
    const service = app.get(ExportStreamService);
    return (await service.stream(requestOf(client, { preset: 'excel' }), options)).stream;
  };
  const open = () => app.get(DatabaseCopy).count('download');
  afterEach(() => until('no connection is in use', async () => open() === 0));

  const running = () =>
    count(app, 'pg_stat_activity', `datname = current_database() AND application_name = $1`, [
      'orders download',
    ]);

  it('get all rows of a long file', async () => {
    const rows = await readRows(app, requestOf(shop, { columns: ['amount'] }));
    expect(rows).toHaveLength(ROWS);
    expect(new Set(rows.map(({ amount }) => amount)).size).toBe(ROWS);
    expect(rows[0]).toEqual({ amount: '200.00' });
  });

  it('who stop reading cost no memory and nobody’s time', async () => {
    const stream = await start();
    await new Promise((resolve) => setTimeout(resolve, 100));
    // Of seven megabytes.
    expect(stream.readableLength).toBeLessThan(1_500_000);
    expect((await shop.order()).status).toBe('open');
    expect(open()).toBe(1);
    stream.destroy();
  });

  it('who never read on are dropped', async () => {
    const stream = await start({ stalledMs: 50 });
    const [error] = (await once(stream, 'error')) as [Error];
    expect(error.message).toContain('stopped reading');
    expect(open()).toBe(0);
  });

  it('who read slowly are not dropped', async () => {
    const STALLED_MS = 400;
    const service = app.get(ExportStreamService);
    const { stream } = await service.stream(requestOf(shop), { stalledMs: STALLED_MS });
    const began = performance.now();
    const elapsed = () => performance.now() - began;
    let bytes = 0;
    for await (const chunk of stream) {
      bytes += (chunk as Buffer).length;
      if (elapsed() < 2 * STALLED_MS) await new Promise((go) => setTimeout(go, STALLED_MS / 5));
    }
    expect(bytes).toBeGreaterThan(ROWS * 200);
    expect(elapsed()).toBeGreaterThan(STALLED_MS);
  });

  it('who read for too long are dropped, however often they read on', async () => {
    const stream = await start({ ageMs: 3_000 });
    const began = performance.now();
    const broken = once(stream, 'error');
    const reading = setInterval(() => stream.read(1), 20);
    await broken;
    clearInterval(reading);
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(open()).toBe(0);
  });

  const BUSY = { name: 'OverloadedError' };

  it('of one merchant have two lanes, whatever they do with them; the others are for others', async () => {
    const other = await app.merchant();
    await writeOrders(app, other, 10);
    const unread = await Promise.all([start(), start()]);
    await expect(start()).rejects.toMatchObject(BUSY);
    expect(await readRows(app, requestOf(other))).toHaveLength(10);
    // Begun anew at once, they still hold no more.
    unread[0]!.destroy();
    await until('a lane is free', async () => open() === 1);
    unread.push(await start());
    await expect(start()).rejects.toMatchObject(BUSY);
    expect(await readRows(app, requestOf(other))).toHaveLength(10);
    for (const stream of unread) stream.destroy();
  });

  it('who leave before the first row leave nothing behind', async () => {
    const controller = new AbortController();
    const asked = start({ signal: controller.signal });
    controller.abort();
    await expect(asked).rejects.toThrow();
    expect(open()).toBe(0);
  });

  const server = onPostgres(it, 'only a server has connections to end');

  server('who leave end the query', async () => {
    const stream = await start();
    expect(await running()).toBe(1);
    stream.destroy();
    await until('the query has ended', async () => (await running()) === 0);
  });

  server('hear of a query that breaks', async () => {
    const stream = await start();
    // The end may be noticed before anybody reads on.
    const broken = once(stream, 'error');
    const sql = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = $1`;
    await select(app, sql, ['orders download']);
    stream.resume();
    await expect(broken).resolves.toBeDefined();
    expect(open()).toBe(0);
  });

  server('see one moment, whatever happens meanwhile', async () => {
    const own = await app.merchant();
    await writeOrders(app, own, ROWS);
    const service = app.get(ExportStreamService);
    const { stream } = await service.stream(requestOf(own, { columns: ['description', 'status'] }));
    await select(app, `UPDATE orders SET status = 'cancelled' WHERE merchant_id = $1`, [
      own.merchantId,
    ]);
    let cancelled = 0;
    for await (const chunk of stream) {
      cancelled += String(chunk).includes('cancelled') ? 1 : 0;
    }
    expect(cancelled).toBe(0);
  });
});
