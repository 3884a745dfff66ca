import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestApp } from './support/app.js';
import type { Client } from './support/client.js';
import { createTables, onPostgres, type TestDatabase } from './support/database.js';
import { select } from './support/facts.js';
import { balances, paidOrder } from './support/payouts.js';
import { Program, removeFolder, type Result, temporaryFolder } from './support/program.js';

const NOBODY = '01900000-0000-7000-8000-000000000000';
const beside = onPostgres(describe, 'the embedded database belongs to one process');

beside('money on the command line', () => {
  let folder: string;
  let database: TestDatabase;
  let app: TestApp;
  let shop: Client;

  beforeAll(async () => {
    folder = temporaryFolder();
    database = await createTables();
    app = await TestApp.start({ database });
    shop = await app.merchant();
  });
  afterAll(async () => {
    await app.stop();
    await database.drop();
    removeFolder(folder);
  });

  const cli = (...args: string[]): Promise<Result> =>
    new Program('cli/cli.js', args, { DATABASE_URL: database.url }, folder).result;

  const fee = (...more: string[]) =>
    cli('fee', 'set', '--merchant', shop.merchantId, '--provider', 'sandbox', ...more);

  const entries = () =>
    select(
      app,
      `SELECT action, subject, merchant_id AS at, data FROM audit_entries
       WHERE address = 'command line' ORDER BY id`,
    );

  it('is charged as a fee, and given back by a reversal', async () => {
    const set = await fee('--currency', 'EUR', '--percent', '2.9', '--fixed', '0.30');
    expect(set).toMatchObject({ code: 0, err: '' });
    expect(set.out).toContain('costs 2.9 % and 0.30 EUR from now on.');
    const again = await fee('--currency', 'EUR', '--percent', '1', '--fixed', '0.10', '--json');
    expect(JSON.parse(again.out)).toMatchObject({ percent: '1', fixed: '0.10' });
    const list = await cli('fee', 'list', '--merchant', shop.merchantId, '--json');
    expect(JSON.parse(list.out)).toMatchObject({
      fees: [{ provider: 'sandbox', currency: 'EUR', percent: '1', fixed: '0.10' }],
    });

    await paidOrder(shop, 10_000);
    expect((await balances(app, shop))['EUR']).toMatchObject({ available: 9_890, fees: 110 });
    const [{ id }] = (await select(app, `SELECT id FROM transfers WHERE kind = 'fee'`)) as [
      { id: string },
    ];
    const reverse = ['transfer', 'reverse', '--merchant', shop.merchantId, '--transfer'];
    const reversed = await cli(...reverse, id, '--note', 'Charged by mistake', '--json');
    expect(reversed).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(reversed.out)).toMatchObject({ id, reversed: true, amount: 110 });
    expect((await balances(app, shop))['EUR']).toMatchObject({ available: 10_000 });

    const twice = await cli(...reverse, id, '--note', 'Once more');
    expect(twice).toMatchObject({ code: 1, out: '', err: `Transfer ${id} was reversed before.\n` });
    const nothing = await cli(...reverse, NOBODY, '--note', 'Nothing');
    expect(nothing).toMatchObject({ code: 1, out: '' });
    const back = await select(app, `SELECT id FROM transfers WHERE kind = 'reversal'`);
    const useless = await cli(...reverse, String(back[0]!['id']), '--note', 'Back');
    expect(useless.err).toContain('A transfer of the kind reversal cannot be reversed.');

    const rate = { provider: 'sandbox', currency: 'EUR' };
    const at = shop.merchantId;
    expect(await entries()).toEqual([
      { action: 'fee.changed', subject: null, at, data: expect.objectContaining(rate) },
      {
        action: 'fee.changed',
        subject: null,
        at,
        data: { ...rate, partsPerMillion: 10_000, percent: '1', fixed: 10 },
      },
      {
        action: 'transfer.reversed',
        subject: id,
        at,
        data: {
          mode: 'test',
          kind: 'fee',
          amount: 110,
          currency: 'EUR',
          note: 'Charged by mistake',
        },
      },
    ]);
  });

  it('can be charged a fee for bank transfers', async () => {
    const { merchantId } = await app.merchant();
    const data = ['--currency', 'EUR', '--percent', '0', '--fixed', '0.20'];
    const set = ['fee', 'set', '--merchant', merchantId, '--provider', 'bank_transfer', ...data];
    expect(await cli(...set)).toMatchObject({ code: 0, err: '' });
  });

  it('is written down as sent back once, however often the command is given', async () => {
    const { txid } = await paidOrder(shop, 1_000, { received: 1_250 });
    const about = ['--merchant', shop.merchantId, '--order', txid, '--currency', 'EUR'];
    const record = (amount: string, left: string) =>
      cli('refund', 'record', ...about, '--amount', amount, '--left', left, '--note', 'SEPA 1');
    expect((await record('1.00', '-1')).code).toBe(2);
    expect(await record('1.00', '1.50')).toMatchObject({ code: 0, err: '' });
    const again = await record('1.00', '1.50');
    expect(again).toMatchObject({ code: 1, out: '' });
    expect(again.err).toContain('see what is left of its money now');
    expect((await shop.read(txid)).body.amountRefunded).toBe(100);
    expect(await record('1.50', '0')).toMatchObject({ code: 0, err: '' });
  });

  it.each([
    [['--currency', 'EUR', '--percent', '2.90001', '--fixed', '0'], 2, '--percent must be 0 to'],
    [['--currency', 'JPY', '--percent', '2', '--fixed', '0.5'], 2, '--fixed must be an amount'],
    [['--currency', 'eur', '--percent', '2', '--fixed', '0'], 2, '--currency must be'],
    [['--currency', 'EUR', '--percent', '2'], 2, '--fixed is missing'],
    [
      ['--currency', 'EUR', '--percent', '2', '--fixed', '0', '--provider', 'nobody'],
      1,
      'There is no provider nobody.',
    ],
    [
      ['--currency', 'EUR', '--percent', '2', '--fixed', '0', '--merchant', NOBODY],
      1,
      'There is no merchant',
    ],
  ])('is not charged with %j', async (args, code, words) => {
    const reply = await fee(...args);
    expect(reply).toMatchObject({ code, out: '' });
    expect(reply.err).toContain(words);
  });
});
