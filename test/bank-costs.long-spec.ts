import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from '@jest/globals';
import { previewFile } from '../src/bank/import/file-preview.js';
import { BankImportService } from '../src/bank/import/import.service.js';
import { WatchedFolder } from '../src/bank/import/watched-folder.js';
import { readCsvProfile } from '../src/bank-statements/csv/csv-profile.js';
import { TestApp } from './support/app.js';
import { collectionAccount, OWN_ACCOUNT } from './support/bank-lines.js';
import { createTables, onPostgres } from './support/database.js';
import { person, signedIn, withTotp } from './support/people.js';
import { Program, removeFolder, temporaryFolder } from './support/program.js';

/** Of each file. 1500000 by hand: then the answers are in time as well. */
const BYTES = Number(process.env['BANK_COSTS_BYTES'] ?? 200_000);
const IS_FULL = BYTES >= 1_500_000;
/** Milliseconds of the processor that nobody else can have at once, and that an answer takes. */
const TURN_MAX_MS = 250;
const ANSWER_MAX_MS = IS_FULL ? 250 : 5_000;
const IMPORT_MAX_MS = IS_FULL ? 30_000 : 120_000;
const SAMPLED_MS = 20;
/** Characters of one text. */
const TEXT = 4_500;

/** Become more characters, look like digits or references, or are what readers look for. */
const WORST = [
  '\u3389',
  '\ufdfa',
  '\u0390',
  'x\u0301\u0316',
  '7',
  'RF1',
  'OIL5',
  '1A',
  'a.',
  '?2',
  '/REMI',
  '//',
  'R-2026-1 ',
  '+',
];

const folder = temporaryFolder();
const database = await createTables();
const app = await TestApp.start({
  database,
  env: { STATEMENT_FOLDER: folder, STATEMENT_FOLDER_MODE: 'test' },
});
await collectionAccount(app);
afterAll(async () => {
  await app.stop();
  await database.drop();
  removeFolder(folder);
});

/** Each line has another amount: none is taken for one that was there. */
let amount = 0;

/** Texts of a file, each of another kind. */
function* texts(): Generator<string> {
  for (let bytes = 0, n = 0; bytes < BYTES; n++) {
    const worst = WORST[n % WORST.length]!;
    const text = worst.repeat(TEXT / worst.length);
    bytes += Buffer.byteLength(text);
    yield text;
  }
}

const camt = (field: (text: string) => string, entry: (text: string) => string = () => '') =>
  `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>
<Id>${field('')}</Id><Acct><Id><IBAN>${OWN_ACCOUNT}</IBAN></Id></Acct>${[...texts()]
    .map(
      (text) =>
        `<Ntry><Amt Ccy="EUR">${(amount += 1)}.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>` +
        `<BookgDt><Dt>2026-11-20</Dt></BookgDt><NtryDtls><TxDtls>${field(text)}</TxDtls></NtryDtls>` +
        `${entry(text)}</Ntry>`,
    )
    .join('\n')}</Stmt></BkToCstmrStmt></Document>`;

const mt = (field: (text: string) => string) =>
  `:20:S\n:25:${OWN_ACCOUNT}\n:28C:1\n:60F:C261119EUR0,00\n${[...texts()]
    .map((text) => `:61:261120C${(amount += 1)},00NTRFNONREF\n:86:${field(text)}`)
    .join('\n')}\n:62F:C261120EUR999999,00\n-\n`;

const COLUMNS = ['Text', 'Name', 'Account', 'Reference', 'EndToEnd', 'Bank'];
const PROFILE = readCsvProfile(
  JSON.stringify({
    name: 'costs',
    ownAccount: OWN_ACCOUNT,
    currency: 'EUR',
    delimiter: ';',
    date: 'DD.MM.YYYY',
    decimal: ',',
    group: '.',
    columns: {
      bookedOn: 'Day',
      amount: 'Amount',
      text: ['Text'],
      name: 'Name',
      account: 'Account',
      reference: 'Reference',
      endToEndId: 'EndToEnd',
      bankReference: 'Bank',
    },
  }),
);

const csv = (column: string) =>
  `Day;Amount;${COLUMNS.join(';')}\n${[...texts()]
    .map((text) => {
      const cells = COLUMNS.map((name) => (name === column ? text : ''));
      return `20.11.2026;${(amount += 1)},00;${cells.join(';')}`;
    })
    .join('\n')}\n`;

const inLines = (text: string): string => text.replace(/[^]{1,60}/gu, '$&\n').trim();

const FILES: Readonly<Record<string, () => string>> = {
  'camt text': () => camt((text) => `<RmtInf><Ustrd>${text}</Ustrd></RmtInf>`),
  'camt structured reference': () =>
    camt((text) => `<RmtInf><Strd><CdtrRefInf><Ref>${text}</Ref></CdtrRefInf></Strd></RmtInf>`),
  'camt end-to-end id': () => camt((text) => `<Refs><EndToEndId>${text}</EndToEndId></Refs>`),
  'camt name': () => camt((text) => `<RltdPties><Dbtr><Nm>${text}</Nm></Dbtr></RltdPties>`),
  'camt account': () =>
    camt(
      (text) =>
        `<RltdPties><DbtrAcct><Id><Othr><Id>${text}</Id></Othr></Id></DbtrAcct></RltdPties>`,
    ),
  'camt address': () =>
    camt(
      (text) => `<RltdPties><Dbtr><PstlAdr><AdrLine>${text}</AdrLine></PstlAdr></Dbtr></RltdPties>`,
    ),
  'camt additional information': () =>
    camt(
      () => '<Refs></Refs>',
      (text) => `<AddtlNtryInf>${text}</AddtlNtryInf>`,
    ),
  'MT940 text': () => mt(inLines),
  'MT940 in one line': () => mt((text) => text),
  'MT940 in fields': () => mt((text) => `166?00TRANSFER?20${inLines(text)}`),
  'MT940 with tags': () => mt((text) => `/REMI/${inLines(text)}`),
};

const BY_COLUMN = Object.fromEntries(COLUMNS.map((name) => [`CSV ${name}`, () => csv(name)]));

interface Costs {
  readonly took: number;
  /** The longest time of the processor between two turns of the event loop, and the slowest answer. */
  readonly turn: number;
  readonly answer: number;
}

/** Does something while others ask whether the service lives. */
async function costsOf(work: () => Promise<unknown>): Promise<Costs> {
  let [turn, answer, isOver] = [0, 0, false];
  let used = process.threadCpuUsage();
  const ticker = setInterval(() => {
    const { user, system } = process.threadCpuUsage(used);
    turn = Math.max(turn, (user + system) / 1_000);
    used = process.threadCpuUsage();
  }, 1);
  const sampling = (async () => {
    while (!isOver) {
      const asked = performance.now();
      expect((await fetch(`${app.url}/health/live`)).status).toBe(200);
      answer = Math.max(answer, performance.now() - asked);
      await sleep(SAMPLED_MS);
    }
  })();
  const start = performance.now();
  try {
    await work();
  } finally {
    isOver = true;
    await sampling;
    clearInterval(ticker);
  }
  return { took: Math.round(performance.now() - start), turn, answer };
}

function expectCheap(name: string, costs: Costs): void {
  process.stderr.write(`${name}: ${JSON.stringify(costs)}\n`);
  expect([name, costs.turn]).toEqual([name, expect.any(Number)]);
  expect(costs.turn).toBeLessThan(TURN_MAX_MS);
  expect(costs.answer).toBeLessThan(ANSWER_MAX_MS);
  expect(costs.took).toBeLessThan(IMPORT_MAX_MS);
}

const LIMIT_MS = 300_000;

describe(`${BYTES} bytes of the worst texts`, () => {
  it.each(Object.entries({ ...FILES, ...BY_COLUMN }))(
    'in %s keep nobody waiting, when they are looked at and when they are imported',
    async (name, write) => {
      const bytes = Buffer.from(write());
      const profile = name.startsWith('CSV') ? PROFILE : undefined;
      const preview = await costsOf(() => previewFile({ bytes }, { profile }));
      expectCheap(`${name}, preview`, preview);
      const options = { mode: 'test', name, source: 'folder', profile } as const;
      let lines = 0;
      const costs = await costsOf(async () => {
        const result = await app.get(BankImportService).import({ bytes }, options);
        expect(result).toMatchObject({ result: 'imported', matched: 0 });
        lines = result.new;
      });
      expect(lines).toBeGreaterThan(5);
      expectCheap(`${name}, import`, costs);
    },
    LIMIT_MS,
  );

  it(
    'keep nobody waiting in the portal',
    async () => {
      const operator = await withTotp(app, await person(app, 'operator'));
      const browser = await signedIn(app, operator);
      const page = '/portal/platform/bank/test/uploads';
      await browser.get(page);
      const bytes = new Uint8Array(Buffer.from(FILES['camt text']!().replace('<Id></Id>', '')));
      const file = { name: 'a.xml', bytes };
      let location: string | null = null;
      const costs = await costsOf(async () => {
        ({ location } = await browser.upload(page, { profile: '', account: '' }, file));
      });
      expect((await browser.get(location!)).html).toContain('of them incoming payments');
      expectCheap('the portal’s preview', costs);
    },
    LIMIT_MS,
  );

  it(
    'keep nobody waiting in the watched folder',
    async () => {
      const look = () => app.get(WatchedFolder).look();
      await look();
      writeFileSync(path.join(folder, 'in', 'a.sta'), `${FILES['MT940 text']!()}\n`);
      await look();
      expectCheap('the watched folder', await costsOf(look));
    },
    LIMIT_MS,
  );
});

onPostgres(it, 'the command line of the embedded database asks the process that has its folder')(
  'the worst texts are imported from the command line in time',
  async () => {
    const file = path.join(folder, 'cli.xml');
    writeFileSync(file, `${FILES['camt text']!()}\n`);
    const args = ['statement', 'import', file, '--mode', 'test', '--json'];
    const env = { DATABASE_URL: database.url, PORT: '1' };
    const start = performance.now();
    const { code, out, err } = await new Program('cli/cli.js', args, env, folder).result;
    expect([code, err]).toEqual([0, '']);
    expect(JSON.parse(out)).toMatchObject({ files: [{ result: 'imported' }] });
    expect(performance.now() - start).toBeLessThan(IMPORT_MAX_MS);
  },
  LIMIT_MS,
);
