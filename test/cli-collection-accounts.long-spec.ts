import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestApp } from './support/app.js';
import { createTables, onPostgres, type TestDatabase } from './support/database.js';
import { select } from './support/facts.js';
import { person } from './support/people.js';
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
      err: `The account ${IBAN} is in use for EUR in test mode.\n`,
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

  it('are only proposed in live mode, for an operator to confirm', async () => {
    const { id: operator } = await person(app, 'operator');
    const proposed = await add(IBAN, '--mode', 'live', '--json');
    expect(proposed).toMatchObject({ code: 0, err: '' });
    const change = JSON.parse(proposed.out) as { id: string; change: string };
    expect(change).toMatchObject({ kind: 'add', state: 'proposed' });
    const again = `The account ${IBAN} is in use for EUR in live mode, or was proposed.\n`;
    expect(await add(IBAN, '--mode', 'live')).toMatchObject({ code: 1, out: '', err: again });
    expect(JSON.parse((await cli('list', '--mode', 'live', '--json')).out)).toEqual({
      accounts: [],
    });
    const told = `SELECT user_id AS id FROM user_notices WHERE kind = 'collection-account'`;
    expect(await select(app, told)).toEqual([{ id: operator }]);
    const entry = `SELECT action, user_id AS who, address FROM audit_entries WHERE subject = $1`;
    const address = `command line on ${hostname()}`;
    expect(await select(app, entry, [change.id])).toEqual([
      { action: 'collection-account.proposed', who: null, address },
    ]);
    const { id } = await offerTransfers(app, { mode: 'live', account: 'DE02120300000000202051' });
    await offerTransfers(app, { mode: 'live', account: 'NL91ABNA0417164300' });
    for (const kind of ['prefer', 'disable']) {
      const { out } = await cli(kind, '--id', id);
      expect(out).toContain('It takes effect after one of them confirms it in the portal');
      expect(await cli(kind, '--id', id)).toMatchObject({ code: 1, out: '' });
    }
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
      'Payers have 30 days for a bank transfer. Live orders can be paid so.\n',
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
