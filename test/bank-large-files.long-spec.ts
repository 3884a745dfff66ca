import { gzipSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import { freePort, TestApp } from './support/app.js';
import { FormBrowser } from './support/browser-form.js';
import { createTables, onPostgres } from './support/database.js';
import { codeOf, PASSWORD, person, withTotp } from './support/people.js';
import { Program, removeFolder, residentMegabytes, temporaryFolder } from './support/program.js';

const PATH = '/portal/platform/bank/test/uploads';
/** Of the whole service, while it takes a file that is refused and looks into it. */
const MEGABYTES_MAX = 300;
/** Ten on a machine that has nothing else to do. */
const SECONDS_MAX = 30;
const SAMPLED_MS = 30;
/** Codes of an authenticator app last so long, and none counts twice. */
const CODE_MS = 30_000;

const START =
  '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>' +
  '<Id>S</Id><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct>';
const ENTRY =
  '<Ntry><Amt Ccy="EUR">12.34</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt>' +
  '<Dt>2026-01-02</Dt></BookgDt><NtryDtls><TxDtls><RmtInf><Ustrd>Invoice</Ustrd></RmtInf></TxDtls>' +
  '</NtryDtls></Ntry>';

/** Files that are read to their end, or far, before they are refused. */
const FILES: Readonly<Record<string, () => string | Buffer>> = {
  'more entries than any bank writes': () => START + ENTRY.repeat(300_001),
  'a statement that is cut': () => START + ENTRY.repeat(250_000),
  'a flood of elements': () => START + '<a/>'.repeat(20_000_000),
  'a flood of attributes': () => START + '<a b="c" d="e"/>'.repeat(8_000_000),
  'one long text': () => `${START}<Ntry><AddtlNtryInf>${'y'.repeat(150_000_000)}`,
  blanks: () => ' '.repeat(195_000_000),
  'an archive of nothing': () => gzipSync(Buffer.alloc(1_000_000_000)),
};

onPostgres(it, 'the embedded database is in the same memory')(
  'large files that are refused one after the other take little memory and time',
  async () => {
    const folder = temporaryFolder();
    const app = await TestApp.start({ database: await createTables() });
    app.clock.set(new Date());
    const operator = await withTotp(app, await person(app, 'operator'));
    const port = String(await freePort());
    const env = { DATABASE_URL: app.database.url, PORT: port, LOG_LEVEL: 'error' };
    const service = new Program('main.js', [], env, folder);
    const url = `http://127.0.0.1:${port}`;
    await service.untilReady(url);
    const browser = new FormBrowser(url);
    await browser.signIn(operator.email, PASSWORD);
    app.clock.set(new Date(Date.now() + CODE_MS));
    await browser.fill('/portal/sign-in/code', { code: await codeOf(app, operator.totp) });

    const seen: { file: string; megabytes: number; seconds: number }[] = [];
    for (const [file, make] of Object.entries(FILES)) {
      const bytes = new Uint8Array(Buffer.from(make()));
      await browser.get(PATH);
      let megabytes = 0;
      const sample = () => (megabytes = Math.max(megabytes, residentMegabytes(service.child.pid)));
      const sampling = setInterval(sample, SAMPLED_MS);
      const start = performance.now();
      const fields = { profile: '', account: '' };
      const reply = await browser.upload(PATH, fields, { name: 'a.xml', bytes });
      seen.push({ file, megabytes, seconds: (performance.now() - start) / 1_000 });
      clearInterval(sampling);
      const { html } = await browser.get(reply.location!);
      expect([file, html]).toEqual([file, expect.stringContaining('Nothing was stored')]);
    }
    process.stderr.write(`${JSON.stringify(seen)}\n`);
    expect(seen.filter(({ megabytes }) => megabytes < 50 || megabytes > MEGABYTES_MAX)).toEqual([]);
    expect(seen.filter(({ seconds }) => seconds > SECONDS_MAX)).toEqual([]);

    expect((await service.kill('SIGTERM')).code).toBe(0);
    await app.stop();
    await app.database.drop();
    removeFolder(folder);
  },
  300_000,
);
