import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { camtFile, type WrittenEntry } from './support/bank-file.js';
import { createTables, onPostgres, type TestDatabase } from './support/database.js';
import { Program, removeFolder, type Result, temporaryFolder } from './support/program.js';

const CAMT = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.054.001.08"><BkToCstmrDbtCdtNtfctn><Ntfctn><Id>N1</Id>
<Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct>
<Ntry><Amt Ccy="EUR">12.30</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><AcctSvcrRef>A1</AcctSvcrRef></Ntry>
</Ntfctn></BkToCstmrDbtCdtNtfctn></Document>`;

describe('statement read', () => {
  let folder: string;
  beforeAll(() => {
    folder = temporaryFolder();
  });
  afterAll(() => removeFolder(folder));

  // An address without a server behind it: the command opens no database.
  const read = (...args: string[]): Promise<Result> => {
    const env = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
    return new Program('cli/cli.js', ['statement', 'read', ...args], env, folder).result;
  };

  const file = (name: string, content: string | Buffer): string => {
    writeFileSync(path.join(folder, name), content);
    return name;
  };

  it('prints one object, with every field', async () => {
    const { code, out, err } = await read(file('a.xml', CAMT), '--json');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(JSON.parse(out)).toEqual({
      format: 'camt.054.001.08',
      statements: [
        {
          id: 'N1',
          sequence: null,
          account: 'DE89370400440532013000',
          currency: 'EUR',
          openingBalance: null,
          closingBalance: null,
          balanced: null,
          lines: [
            {
              entry: 0,
              detail: 0,
              bookedOn: null,
              valuedOn: null,
              amount: 1230,
              amountText: null,
              currency: 'EUR',
              direction: 'in',
              status: 'booked',
              kind: 'payment',
              reversal: false,
              returned: false,
              counterparty: { name: null, account: null, accountType: null, bic: null },
              references: [],
              endToEndId: null,
              bankReference: 'A1',
              text: null,
            },
          ],
        },
      ],
      warnings: [],
    });
  });

  it('shows a person a row for each statement', async () => {
    const { code, out } = await read(file('a.xml', CAMT));
    expect({ code, lines: out.trimEnd().split('\n') }).toEqual({
      code: 0,
      lines: [
        'camt.054.001.08',
        'account                 statement  in (payments)  out  opening  closing  balanced',
        'DE89370400440532013000  N1         1 (1)          0    -        -        -',
      ],
    });
  });

  it.each([
    ['b.xml', CAMT.slice(0, -20), /^The XML is broken at line \d+:\d+.*\.\n$/],
    ['c.xml', '', 'The file is empty.\n'],
    ['d.txt', 'Hello', /^It is no camt\.052.*\.\n$/],
  ])('refuses %s in one sentence, and prints nothing', async (name, content, sentence) => {
    const { code, out, err } = await read(file(name, content), '--json');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(sentence);
  });

  it.each([
    [['none.xml'], 1, 'The file cannot be read: ENOENT.\n'],
    [['.'], 1, 'It is not a file.\n'],
    [[], 2, /^FILE is missing\.\n\nUsage: .* statement read FILE/],
    [['a.xml', 'b.xml'], 2, /^"b\.xml" is one too many\./],
  ])('says what is wrong with %j', async (args, code, sentence) => {
    const result = await read(...args);
    expect(result).toMatchObject({ code, out: '' });
    expect(result.err).toMatch(sentence);
  });

  it('ends without a word when nobody reads on', async () => {
    const entry = /<Ntry>.*<\/Ntry>/.exec(CAMT)![0];
    const many = file('head.xml', CAMT.replace(entry, entry.repeat(3_000)));
    const cli = path.resolve(import.meta.dirname, '../src/cli/cli.js');
    const command = `"${process.execPath}" "${cli}" statement read "${many}" --json | head -c 10`;
    const { stdout, stderr } = spawnSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8' });
    expect({ stdout, stderr }).toEqual({ stdout: '{"format":', stderr: '' });
  });

  it('prints what a pipe takes, and no half of it', async () => {
    const entry = /<Ntry>.*<\/Ntry>/.exec(CAMT)![0];
    const named = entry.replace('A1', '€𝕏'.repeat(200));
    const many = CAMT.replace(entry, named.repeat(3_000));
    const { code, out } = await read(file('many.xml', many), '--json');
    const { statements } = JSON.parse(out) as {
      statements: { lines: { entry: number; bankReference: string }[] }[];
    };
    const lines = statements[0]!.lines;
    expect({ code, last: lines.at(-1)!.entry }).toEqual({ code: 0, last: 2_999 });
    expect(new Set(lines.map((line) => line.bankReference))).toEqual(new Set(['€𝕏'.repeat(200)]));
  });
});

const beside = onPostgres(describe, 'the embedded database belongs to one process');

beside('statement balance', () => {
  const account = 'DE89370400440532013000';
  let folder: string;
  let database: TestDatabase;

  beforeAll(async () => {
    folder = temporaryFolder();
    database = await createTables();
  });
  afterAll(async () => {
    await database.drop();
    removeFolder(folder);
  });

  const cli = (...args: string[]): Promise<Result> =>
    new Program('cli/cli.js', ['statement', ...args], { DATABASE_URL: database.url }, folder)
      .result;
  const balance = (...args: string[]) => cli('balance', '--mode', 'test', ...args);

  async function bring(day: string, opening: number, entries: WrittenEntry[]): Promise<void> {
    const name = `${day}.xml`;
    writeFileSync(
      path.join(folder, name),
      camtFile('053', { account, day, id: day, opening, entries }),
    );
    expect(await cli('import', name, '--mode', 'test')).toMatchObject({ code: 0 });
  }

  const first = {
    account,
    currency: 'EUR',
    day: '2026-11-16',
    opening: 10_000,
    matched: 0,
    returned: 0,
    paidOut: 0,
    unmatched: 250,
    other: 0,
    closing: 10_250,
    unexplained: 0,
  };

  it('explains each day, to a person and to a program, and ends with 0', async () => {
    await bring('2026-11-16', 10_000, [{ amount: 1_250 }, { amount: 1_000, direction: 'out' }]);
    const shown = await balance();
    expect({
      ...shown,
      out: shown.out
        .trimEnd()
        .split('\n')
        .map((line) => line.split(/ {2,}/)),
    }).toEqual({
      code: 0,
      err: '',
      out: [
        [
          'account',
          'day',
          'opening',
          'matched',
          'returned',
          'paidOut',
          'unmatched',
          'other',
          'closing',
          'unexplained',
        ],
        [
          `${account} EUR`,
          '2026-11-16',
          '100.00',
          '0.00',
          '0.00',
          '0.00',
          '2.50',
          '0.00',
          '102.50',
          '0.00',
        ],
      ],
    });
    const told = await balance('--json');
    expect({ ...told, out: JSON.parse(told.out) }).toEqual({
      code: 0,
      err: '',
      out: { days: [first] },
    });
  });

  it('ends with 1 when a cent is unexplained', async () => {
    await bring('2026-11-18', 10_251, []);
    const { code, out } = await balance('--json', '--account', 'de89 3704 0044 0532 0130 00');
    const { days } = JSON.parse(out) as { days: unknown[] };
    expect({ code, days }).toEqual({
      code: 1,
      days: [
        first,
        {
          ...first,
          day: '2026-11-18',
          opening: 10_250,
          unmatched: 0,
          closing: 10_251,
          unexplained: 1,
        },
      ],
    });
    expect(await balance('--until', '2026-11-17')).toMatchObject({ code: 0 });
  });

  it.each(['balance', 'lines'])(
    'does not know an account that is not there: %s',
    async (command) => {
      const unknown = (mode: string, typed: string, read: string) =>
        expect(cli(command, '--mode', mode, '--account', typed, '--json')).resolves.toEqual({
          code: 1,
          out: '',
          err: `${read} is no collection account in ${mode} mode, and no statement is of it.\n`,
        });
      await unknown('test', 'nl91 abna 0417 1643 00', 'NL91ABNA0417164300');
      await unknown('test', `${account.slice(0, -1)}1`, `${account.slice(0, -1)}1`);
      await unknown('live', account, account);
      expect(await cli(command, '--mode', 'test', '--account', ' ')).toMatchObject({ code: 2 });
    },
  );

  it('has nothing to say of a mode without statements, and of an account before the first', async () => {
    const none = { code: 0, out: 'There are none yet.\n', err: '' };
    expect(await cli('balance', '--mode', 'live')).toEqual(none);
    const added = ['--currency', 'EUR', '--name', 'Platform', '--account', 'NL91ABNA0417164300'];
    const env = { DATABASE_URL: database.url };
    const add = ['collection-account', 'add', '--mode', 'test', ...added];
    expect(await new Program('cli/cli.js', add, env, folder).result).toMatchObject({ code: 0 });
    expect(await balance('--account', 'NL91ABNA0417164300')).toEqual(none);
  });

  it.each([
    [['--from', '2026-02-30'], '--from must be a day, such as 2026-11-30.'],
    [['--until', 'today'], '--until must be a day, such as 2026-11-30.'],
    [['--mode', 'both'], '--mode must be test or live.'],
    [['x'], "Unexpected argument 'x'"],
  ])('says what is wrong with %j, and ends with 2', async (args, sentence) => {
    const { code, out, err } = await balance(...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(sentence);
  });
});
