import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from './support/app.js';
import { createDatabase, type TestDatabase } from './support/database.js';
import { Program, removeFolder, type Result, temporaryFolder } from './support/program.js';

interface Made {
  readonly id: string;
  readonly apiKey: string;
}

const ANY_ID = '01900000-0000-7000-8000-000000000000';

/** Runs on the server of the tests when there is one, else on an embedded database in a folder. */
describe('the command line', () => {
  let folder: string;
  let database: TestDatabase;
  let url: string;

  beforeAll(async () => {
    folder = temporaryFolder();
    database = await createDatabase();
    url = database.isPostgres ? database.url : 'file:./data';
  });
  afterAll(async () => {
    await database.drop();
    removeFolder(folder);
  });

  const cli = (command: string, env: Record<string, string> = {}): Promise<Result> => {
    const args = command.split(' ').filter((word) => word !== '');
    return new Program('cli/cli.js', args, { DATABASE_URL: url, ...env }, folder).result;
  };

  async function json<T>(command: string): Promise<T> {
    const { code, out, err } = await cli(`${command} --json`);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.trim().split('\n')).toHaveLength(1);
    return JSON.parse(out) as T;
  }

  it('makes the tables, and a merchant', async () => {
    expect(await json<object>('migrate')).toEqual({ migrations: expect.any(Array) });
    expect(await json<object>('migrate')).toEqual({ migrations: [] });

    const merchant = await json<Made>(
      'merchant create --name Lampen&Söhne --colour #8A4B08 ' +
        '--contact-url mailto:hilfe@lampen.example',
    );
    expect(merchant).toEqual({
      id: expect.any(String),
      name: 'Lampen&Söhne',
      colour: '8a4b08',
      contactUrl: 'mailto:hilfe@lampen.example',
      createdAt: expect.any(String),
    });
    expect(await json<object>('merchant list')).toEqual({ merchants: [merchant] });
  });

  it('makes a key that opens the service, and revokes it', async () => {
    const merchant = await json<Made>('merchant create --name Keys');

    const key = await json<Made>(
      `key create --merchant ${merchant.id} --mode test --scope orders:read --name Till ` +
        '--expires 2099-01-31 --allow-ip 127.0.0.0/8 --allow-ip 2001:db8::1 --api-version 1.2',
    );
    expect(key).toMatchObject({
      merchantId: merchant.id,
      mode: 'test',
      name: 'Till',
      scopes: ['orders:read'],
      apiVersion: '1.2',
      allowedIps: ['127.0.0.0/8', '2001:db8::1'],
      expiresAt: '2099-02-01T00:00:00.000Z',
      revokedAt: null,
      apiKey: expect.stringMatching(/^pos_test_[\w-]{43}$/),
    });

    const { apiKey, ...listed } = key;
    expect(await json<object>(`key list --merchant ${merchant.id}`)).toEqual({
      keys: [listed],
    });
    await whileServiceRuns(async (service) => {
      const read = await fetch(`${service}/api/order?txid=${merchant.id}`, {
        headers: { authorization: `Bearer ${apiKey}` },
      });
      expect(read.status).toBe(404);
      expect(read.headers.get('api-version')).toBe('1.2');
    });

    expect(await json<object>(`key revoke --key ${key.id}`)).toEqual({
      id: key.id,
      revoked: true,
    });
    const again = await cli(`key revoke --key ${key.id}`);
    expect(again).toEqual({ code: 1, out: '', err: `There is no usable key ${key.id}.\n` });
  });

  async function whileServiceRuns(work: (service: string) => Promise<void>): Promise<void> {
    const port = String(await freePort());
    const env = { DATABASE_URL: url, PORT: port, LOG_LEVEL: 'error', ROLE: 'api' };
    const service = new Program('main.js', [], env, folder);
    try {
      await service.untilReady(`http://127.0.0.1:${port}`);
      await work(`http://127.0.0.1:${port}`);
      if (!database.isPostgres) await warnsOfOtherDatabase(port);
    } finally {
      await service.kill('SIGTERM');
    }
  }

  async function warnsOfOtherDatabase(port: string): Promise<void> {
    const other = { DATABASE_URL: 'file:./other', PORT: port };
    const { code, out, err } = await cli('merchant list --json', other);
    expect({ code, out: JSON.parse(out) }).toEqual({ code: 0, out: { merchants: [] } });
    expect(err).toBe(
      `The service at http://127.0.0.1:${port} does not use this database, file:${folder}/other: ` +
        'set DATABASE_URL to the one that it was started with.\n',
    );
  }

  it('works beside a service on the same database, in whose place no other can come', async () => {
    await whileServiceRuns(async (service) => {
      const [one, two] = await Promise.all([
        json<Made>('merchant create --name One'),
        json<Made>('merchant create --name Two'),
      ]);
      const { apiKey } = await json<Made>(`key create --merchant ${one.id} --mode test`);
      const read = await fetch(`${service}/api/order?orderMerchantId=none`, {
        headers: { authorization: `Bearer ${apiKey}` },
      });
      expect(read.status).toBe(404);
      const { merchants } = await json<{ merchants: Made[] }>('merchant list');
      expect(merchants.map(({ id }) => id)).toEqual(expect.arrayContaining([one.id, two.id]));
    });
  });

  it('speaks to people in sentences, and shows a key once', async () => {
    const created = await cli('merchant create --name Café');
    expect(created).toMatchObject({ code: 0, err: '' });
    const id = /Merchant (\S+) \(Café\)/.exec(created.out)![1]!;
    const key = await cli(`key create --merchant ${id} --mode test`);
    expect(key.out).toMatch(/^pos_test_[\w-]{43}\n\nThis is the only time that the key is shown/);
    const list = await cli(`key list --merchant ${id}`);
    expect(list.out).toMatch(
      /^id +mode +ends with.*\n\S+ +test +[\w-]{4} +orders:read orders:write/,
    );
    expect(list.out).not.toContain(key.out.split('\n')[0]);
  });

  it('makes live keys on PostgreSQL, and on the embedded database only when told to', async () => {
    const { id } = await json<Made>('merchant create --name Live');
    const live = `key create --merchant ${id} --mode live --json`;
    const plain = await cli(live);
    if (!database.isPostgres) {
      expect(plain).toMatchObject({ code: 1, out: '' });
      expect(plain.err).toMatch(/^Live keys need PostgreSQL: .* LIVE_ON_EMBEDDED=on\.\n$/);
    }
    const allowed = database.isPostgres ? plain : await cli(live, { LIVE_ON_EMBEDDED: 'on' });
    expect(JSON.parse(allowed.out)).toMatchObject({
      mode: 'live',
      apiKey: expect.stringMatching(/^pos_live_/),
    });
  });

  it('invents orders, in test mode only', async () => {
    const { id } = await json<Made>('merchant create --name Seeds');
    const seeded = await json<object>(`seed-orders --merchant ${id} --count 1500 --days 30`);
    expect(seeded).toEqual({
      merchantId: id,
      count: 1500,
      days: 30,
      prefix: expect.stringMatching(/^seed-[\da-f]{8}-$/),
      seconds: expect.any(Number),
    });
    const more = await cli(`seed-orders --merchant ${id} --count 1 --mode test`);
    expect(more).toMatchObject({ code: 0, err: '' });
    expect(more.out).toMatch(
      /^1 orders are there, made in [\d.]+ s; their ids begin with seed-\w+-\.\n$/,
    );
    expect(await cli(`seed-orders --merchant ${ANY_ID} --count 1`)).toEqual({
      code: 1,
      out: '',
      err: `There is no merchant ${ANY_ID}.\n`,
    });
  });

  it('tells of what does not exist', async () => {
    const { code, out, err } = await cli(`key create --merchant ${ANY_ID} --mode test`);
    expect({ code, out, err }).toEqual({
      code: 1,
      out: '',
      err: `There is no merchant ${ANY_ID}.\n`,
    });
  });

  it('explains in a sentence that the database is away', async () => {
    const away = `postgres://user:hidden@127.0.0.1:${await freePort()}/orders`;
    const { code, out, err } = await cli('merchant list', { DATABASE_URL: away });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/^The database cannot be used: .*ECONNREFUSED.*\n$/);
    expect(err).not.toContain('hidden');
  });

  it.each([
    ['', 'A command is missing.'],
    ['merchants', 'There is no command "merchants".'],
    ['merchant create', '--name is missing'],
    ['merchant create --nam A', "Unknown option '--nam'"],
    ['merchant list all', "Unexpected argument 'all'"],
    ['key create --merchant 1 --mode test', '--merchant must be an id'],
    [`seed-orders --merchant ${ANY_ID} --count 0`, '--count must be a whole number'],
    [`seed-orders --merchant ${ANY_ID} --count 1 --mode live`, '--mode must be test'],
  ])('refuses %j before it opens anything', async (command, message) => {
    const { code, out, err } = await cli(`${command} --json`, { DATABASE_URL: 'nonsense' });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err.startsWith(message)).toBe(true);
    expect(err).toContain('npm run --silent cli --');
  });

  it('lists its commands', async () => {
    const { code, out } = await cli('help');
    expect(code).toBe(0);
    for (const command of ['merchant create', 'key revoke', 'migrate'])
      expect(out).toContain(command);
  });
});
