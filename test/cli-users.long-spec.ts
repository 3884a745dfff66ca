import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestApp } from './support/app.js';
import { browserOf } from './support/browser-form.js';
import { createTables, onPostgres, type TestDatabase } from './support/database.js';
import { count, select } from './support/facts.js';
import { PASSWORD, person, signedIn, withTotp } from './support/people.js';
import { Program, removeFolder, type Result, temporaryFolder } from './support/program.js';

const beside = onPostgres(describe, 'the embedded database belongs to one process');

beside('users on the command line', () => {
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

  const cli = (...args: string[]): Promise<Result> =>
    new Program('cli/cli.js', args, { DATABASE_URL: database.url }, folder).result;

  const create = (email: string, ...more: string[]) =>
    cli('user', 'create', '--email', email, '--name', 'Ada King', ...more, '--json');

  it('sign in with the password that was shown once, until they are disabled', async () => {
    const { code, out, err } = await create('Ada@People.Example', '--role', 'operator');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const made = JSON.parse(out) as Record<string, string>;
    expect(made).toMatchObject({ email: 'ada@people.example', role: 'operator', merchantId: null });
    expect(made['password']).toMatch(/^[\w-]{20}$/);
    const browser = browserOf(app);
    expect((await browser.signIn('ada@people.example', made['password']!)).status).toBe(303);
    const list = await cli('user', 'list');
    expect(list.out).toMatch(/operator +0 +off +usable +ada@people\.example/);
    expect(list.out).not.toContain(made['password']);
    // Somebody must be left who can let others in.
    await person(app, 'operator');
    expect((await cli('user', 'disable', '--email', 'ada@people.example')).code).toBe(0);
    expect((await browser.get('/portal/security')).status).toBe(303);
    expect((await browserOf(app).signIn('ada@people.example', made['password']!)).status).toBe(422);
    const again = await cli('user', 'disable', '--email', 'ada@people.example');
    expect(again).toMatchObject({ code: 1, out: '' });
    const enabled = await cli('user', 'enable', '--email', 'ada@people.example', '--json');
    expect(enabled.code).toBe(0);
    const { password } = JSON.parse(enabled.out) as { password: string };
    expect((await browserOf(app).signIn('ada@people.example', made['password']!)).status).toBe(422);
    expect((await browserOf(app).signIn('ada@people.example', password)).status).toBe(303);
    expect((await cli('user', 'enable', '--email', 'ada@people.example')).code).toBe(1);
    const sql = `SELECT action FROM audit_entries WHERE address = 'command line' ORDER BY id`;
    expect(await select(app, sql)).toEqual([
      { action: 'user.created' },
      { action: 'user.disabled' },
      { action: 'user.enabled' },
    ]);
  });

  it('come in again without the second step that they lost', async () => {
    const { merchantId } = await app.merchant();
    const owner = await withTotp(app, await person(app, 'owner', merchantId));
    const before = await signedIn(app, owner);
    const forget = () => cli('user', 'forget-second-step', '--email', owner.email, '--json');
    const { code, out } = await forget();
    expect([code, JSON.parse(out)]).toEqual([0, { id: owner.id, email: owner.email }]);
    expect((await before.get('/portal/security')).location).toContain('/portal/sign-in');
    const reply = await browserOf(app).signIn(owner.email, PASSWORD);
    expect([reply.status, reply.location]).toEqual([303, '/portal']);
    expect(await count(app, 'user_recovery_codes', 'user_id = $1', [owner.id])).toBe(0);
    expect(await forget()).toMatchObject({ code: 1, out: '' });
  });

  it('belong to a merchant with a role of its own', async () => {
    const { merchantId } = await app.merchant();
    const made = await create('max@people.example', '--merchant', merchantId, '--role', 'finance');
    expect(JSON.parse(made.out)).toMatchObject({ merchantId, role: 'finance' });
    const twice = await create('max@people.example', '--role', 'support');
    expect(twice).toMatchObject({ code: 1, out: '' });
    expect(twice.err).toContain('already');
  });

  it.each([
    [['--role', 'owner'], 2, '--role must be support or operator; the roles of a merchant'],
    [
      ['--role', 'operator', '--merchant', '01900000-0000-7000-8000-000000000000'],
      2,
      '--role must',
    ],
    [[], 2, '--role is missing'],
    [['--role', 'owner', '--merchant', '01900000-0000-7000-8000-000000000000'], 1, 'There is no'],
  ])('are not made with %j', async (args, code, words) => {
    const reply = await create('eve@people.example', ...args);
    expect(reply).toMatchObject({ code, out: '' });
    expect(reply.err).toContain(words);
  });
});
