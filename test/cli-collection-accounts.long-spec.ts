import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestApp } from './support/app.js';
import { createTables, onPostgres, type TestDatabase } from './support/database.js';
import { select } from './support/facts.js';
import { Program, removeFolder, type Result, temporaryFolder } from './support/program.js';
import { offerTransfers } from './support/transfers.js';

const IBAN = 'DE89370400440532013000';
const beside = onPostgres(describe, 'the embedded database belongs to one process');

beside('collection accounts on the command line', () => {
  let folder: string;
  let database: TestDatabase;
  let app: TestApp;

  beforeAll(async () => {
    folder = temporaryFolder();
    database = await createTables();
    app = await TestApp.start({ database });
  });
  afterAll(async () => {
    await app.stop();
    await database.drop();
    removeFolder(folder);
  });

  const cli = (...args: string[]): Promise<Result> => {
    const env = { DATABASE_URL: database.url, LIVE_ON_EMBEDDED: 'on' };
    const command = ['collection-account', ...args];
    return new Program('cli/cli.js', command, env, folder).result;
  };

  const add = (account: string, ...more: string[]) =>
    cli('add', '--account', account, '--currency', 'EUR', '--name', 'Platform GmbH', ...more);

  it('are added, listed and taken out of use, and the audit log knows', async () => {
    const more = ['--mode', 'test', '--bic', 'cobadeff', '--bank', 'Commerzbank', '--json'];
    const added = await add('de89 3704 0044 0532 0130 00', ...more);
    expect(added).toMatchObject({ code: 0, err: '' });
    const known = {
      mode: 'test',
      currency: 'EUR',
      holder: 'Platform GmbH',
      account: IBAN,
      bic: 'COBADEFF',
      bankName: 'Commerzbank',
      position: 0,
      disabledAt: null,
    };
    const account = JSON.parse(added.out) as { id: string };
    expect(account).toMatchObject(known);
    expect(await add(IBAN, '--mode', 'test')).toMatchObject({
      code: 1,
      out: '',
      err: `The account ${IBAN} is in use for EUR in test mode, or known under another form of its number.\n`,
    });
    const listed = await cli('list', '--mode', 'test', '--json');
    expect(JSON.parse(listed.out)).toEqual({ accounts: [account] });
    const second = await add('DE02120300000000202051', '--mode', 'test');
    expect(second.out).toMatch(`: Payers are shown ${IBAN} (the first one) until `);

    const { id: secondId } = (
      JSON.parse((await cli('list', '--json')).out) as { accounts: { id: string }[] }
    ).accounts[1]!;
    expect((await cli('prefer', '--id', secondId)).out).toContain('Payers are shown');
    const disabled = await cli('disable', '--id', account.id, '--json');
    expect(JSON.parse(disabled.out)).toEqual({ id: account.id, disabled: true });
    expect(await cli('disable', '--id', account.id)).toMatchObject({ code: 1, out: '' });
    const entries = await select(
      app,
      `SELECT action, subject, data FROM audit_entries WHERE subject = $1 ORDER BY id`,
      [account.id],
    );
    const data = { mode: 'test', currency: 'EUR', account: IBAN };
    expect(entries).toEqual([
      { action: 'collection-account.added', subject: account.id, data },
      { action: 'collection-account.disabled', subject: account.id, data },
    ]);
  });

  it('are changed in the portal alone in live mode, by two operators', async () => {
    const { id } = await offerTransfers(app, { mode: 'live', account: 'DE02120300000000202051' });
    const refused = {
      code: 1,
      out: '',
      err: expect.stringContaining('in the portal: one proposes'),
    };
    expect(await add(IBAN, '--mode', 'live')).toMatchObject(refused);
    for (const kind of ['prefer', 'disable'])
      expect(await cli(kind, '--id', id)).toMatchObject(refused);
    expect(
      await select(app, 'SELECT FROM collection_account_changes WHERE applied_at IS NULL'),
    ).toEqual([]);
    expect((await cli('list')).out).toMatch(/live .* usable .*DE02.*\n/);
  });

  it('have example statements of transfers that a test order waits for alone', async () => {
    const { txid } = await (await app.merchant()).order();
    const example = async (id: string): Promise<string> => {
      const command = ['statement', 'example', '--order', id];
      const env = { DATABASE_URL: database.url };
      return (await new Program('cli/cli.js', command, env, folder).result).err;
    };
    expect(await example(txid)).toBe(
      `The payer of order ${txid} has not chosen the bank transfer.\n`,
    );
    expect(await example(randomUUID())).toMatch(/^There is no test order /);
  });

  it('serve the live orders of the merchants that may have them, for so many days', async () => {
    const { merchantId } = await app.merchant();
    const transfers = (...more: string[]): Promise<Result> => {
      const command = ['merchant', 'transfers', '--merchant', merchantId, ...more];
      return new Program('cli/cli.js', command, { DATABASE_URL: database.url }, folder).result;
    };
    const changed = await transfers('--days', '30', '--live', 'on', '--json');
    expect(JSON.parse(changed.out)).toEqual({ merchantId, days: 30, live: true });
    expect((await transfers()).out).toBe(
      'Payers have 30 days for a bank transfer. Live orders can be paid by transfer.\n',
    );
    expect((await transfers('--days', '61')).err).toContain('--days must be a whole number from 2');
    expect((await transfers('--live', 'yes')).err).toContain('--live must be on or off.');
    const sql = 'SELECT action, data FROM audit_entries WHERE merchant_id = $1';
    const data = { transferDays: 30, takesTransfers: true, transfersAllowedBy: null };
    expect(await select(app, sql, [merchantId])).toEqual([{ action: 'transfers.changed', data }]);
  });

  it('are refused with a reason when they are typed wrong', async () => {
    const wrong = await add('DE88370400440532013000', '--mode', 'test');
    expect(wrong).toMatchObject({ code: 2, out: '' });
    expect(wrong.err).toContain('--account: The check digits of the IBAN are wrong');
    const bic = await add(IBAN, '--mode', 'test', '--bic', 'X');
    expect(bic.err).toContain('--bic: A BIC has 8 or 11 letters and digits.');
  });
});
