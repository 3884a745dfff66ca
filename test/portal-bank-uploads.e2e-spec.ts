import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { BankImportService } from '../src/bank/import/import.service.js';
import { TestApp } from './support/app.js';
import { collectionAccount } from './support/bank-lines.js';
import { FormBrowser } from './support/browser-form.js';
import { count, select } from './support/facts.js';
import { confirmed, person, type Person, signedIn, withTotp } from './support/people.js';

const PATH = '/portal/platform/bank/test/uploads';
const IBAN = 'DE89370400440532013000';

let number = 0;

/** A statement of a day with one payment. */
function statement(text = `Payment ${++number}`): string {
  return [
    ':20:START',
    `:25:${IBAN}`,
    `:28C:${++number}/1`,
    ':60F:C260101EUR100,00',
    `:61:2601020102C12,34NTRFNONREF//B${number}`,
    `:86:${text}`,
    ':62F:C260102EUR112,34',
    '-',
    '',
  ].join('\r\n');
}

const fileOf = (text: string, name = 'statement.sta') => ({
  name,
  bytes: new Uint8Array(Buffer.from(text)),
});

describe('statements that operators upload', () => {
  let app: TestApp;
  let operating: Person;
  let operator: FormBrowser;
  let support: FormBrowser;

  beforeAll(async () => {
    app = await TestApp.start();
    operating = await withTotp(app, await person(app, 'operator'));
    operator = await signedIn(app, operating);
    support = await signedIn(app, await withTotp(app, await person(app, 'support')));
  });
  afterAll(() => app.stop());

  const brought = async (text: string, fields: Record<string, string> = {}, name?: string) => {
    await operator.get(PATH);
    return operator.upload(PATH, { profile: '', account: '', ...fields }, fileOf(text, name));
  };

  it('are looked into before anything counts, and imported then', async () => {
    const reply = await brought(statement());
    expect(reply.status).toBe(303);
    const preview = await operator.get(reply.location!);
    for (const text of [
      'Nothing has been imported yet',
      'DE89 3704 0044 0532 0130 00',
      '>Balanced',
    ])
      expect(preview.html).toContain(text);
    expect(preview.html).toMatch(/[\da-f]{64}/);
    expect(await count(app, 'bank_files', 'true')).toBe(0);
    const imported = await operator.fill(reply.location!, {}, `${reply.location!}/import`);
    expect(imported.location).toBe(reply.location);
    expect((await operator.get(reply.location!)).html).toContain('Import result');
    expect(await select(app, 'SELECT source, brought_by FROM bank_files')).toEqual([
      { source: 'portal', brought_by: operating.id },
    ]);
    const [entry] = await select(
      app,
      `SELECT * FROM audit_entries WHERE action = 'bank-file.imported'`,
    );
    expect(entry).toMatchObject({ user_id: operating.id, data: { name: 'statement.sta' } });
  });

  it('whose import failed say so, and can be imported again', async () => {
    const { location } = await brought(statement());
    const imports = app.get(BankImportService);
    const fails = jest.spyOn(imports, 'import').mockRejectedValueOnce(new Error('no space left'));
    await operator.fill(location!, {}, `${location!}/import`);
    fails.mockRestore();
    expect((await operator.get(location!)).html).toContain('The last import failed');
    await operator.fill(location!, {}, `${location!}/import`);
    const { html } = await operator.get(location!);
    expect(html).toContain('Import result');
    expect(html).not.toContain('The last import failed');
  });

  it('are told to be known, and bring nothing twice', async () => {
    const text = statement();
    const first = await brought(text);
    await operator.fill(first.location!, {}, `${first.location!}/import`);
    const lines = await count(app, 'bank_lines', 'true');
    const again = await brought(text);
    const { html } = await operator.get(again.location!);
    expect(html).toContain('already imported');
    expect(html).not.toContain('/import"');
    await operator.post(`${again.location!}/import`);
    expect(await count(app, 'bank_lines', 'true')).toBe(lines);
  });

  it.each([
    ['no statement', 'GIF89a', 'It is no camt.052'],
    [
      'a broken one',
      '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkTo',
      'cannot be imported',
    ],
    ['a document type', '<!DOCTYPE a [<!ENTITY b "c">]><Document/>', 'cannot be imported'],
    ['formulas', '=cmd|calc;<script>alert(1)</script>', 'cannot be imported'],
  ])('are refused whole with a sentence: %s', async (_, text, sentence) => {
    const before = await count(app, 'bank_files', 'true');
    const reply = await brought(text, {}, '<script>alert(1)</script>.xml');
    const { html, status } = await operator.get(reply.location!);
    expect([status, html.includes(sentence)]).toEqual([200, true]);
    expect(html).not.toContain('<script>alert');
    expect(html).not.toContain('/import"');
    await operator.post(`${reply.location!}/import`);
    expect(await count(app, 'bank_files', 'true')).toBe(before);
  });

  it('that are empty, missing or too large are refused with a sentence', async () => {
    expect((await brought('')).html).toContain('The file is empty.');
    expect((await brought('', {}, '')).html).toContain('Choose a file.');
    await operator.get(PATH);
    const huge = { name: 'huge', bytes: new Uint8Array(200_000_001) };
    const reply = await operator.upload(PATH, {}, huge);
    expect([reply.status, reply.html.includes('larger than 200 MB')]).toEqual([422, true]);
    const plain = await operator.fill(PATH, { file: 'text' });
    expect([plain.status, plain.html.includes('Choose a file.')]).toEqual([422, true]);
  });

  it('are imported under any name that a text can be', async () => {
    const cut = `${'x'.repeat(254)}🎉.sta`;
    const { location } = await brought(statement(), {}, cut);
    expect((await operator.fill(location!, {}, `${location!}/import`)).status).toBe(303);
    expect(await count(app, 'bank_files', `name = repeat('x', 254) || U&'\\FFFD'`)).toBe(1);
    expect((await brought(statement(), {}, 'a\0.sta')).status).toBe(400);
  });

  it('of CSV are read by a profile and for an account', async () => {
    const csv =
      'TransferWise ID,Date,Amount,Currency,Description,Payment Reference,Running Balance,Payer Name\nT-1,20-11-2026,12.30,GBP,Got,RF1,15.00,Ada\n';
    const without = await operator.get((await brought(csv, { profile: 'wise' })).location!);
    expect(without.html).toContain('Choose the account');
    const unknown = await brought(csv, { profile: 'wise', account: 'WISE-GBP' });
    expect([unknown.status, unknown.html.includes('Choose one of the accounts.')]).toEqual([
      422,
      true,
    ]);
    await collectionAccount(app, 'WISE-GBP');
    const reply = await brought(csv, { profile: 'wise', account: 'WISE-GBP' });
    expect((await operator.get(reply.location!)).html).toContain('WISE-GBP');
    const gone = await operator.get((await brought(csv, { profile: 'gone' })).location!);
    expect(gone.html).toContain('The CSV profile no longer exists');
  });

  it('are thrown away, and are gone after an hour', async () => {
    const one = (await brought(statement())).location!;
    expect((await operator.fill(one, {}, `${one}/discard`)).status).toBe(303);
    expect((await operator.get(one)).status).toBe(404);
    const other = (await brought(statement())).location!;
    app.clock.advance(61 * 60_000);
    operator = await signedIn(app, operating);
    expect((await operator.get(other)).status).toBe(404);
  });

  it('are their owner’s, of one mode, and nobody’s without the token of the form', async () => {
    const one = (await brought(statement())).location!;
    const other = await signedIn(app, await withTotp(app, await person(app, 'operator')));
    expect((await other.get(one)).status).toBe(404);
    expect((await operator.get(one.replace('/test/', '/live/'))).status).toBe(404);
    expect((await support.upload(PATH, {}, fileOf(statement()))).status).toBeGreaterThan(302);
    const forged = await operator.upload(PATH, { csrf: 'forged' }, fileOf(statement()));
    expect(forged.status).toBe(403);
  });

  it('need a fresh code to be imported', async () => {
    await confirmed(app, operating);
    const one = (await brought(statement())).location!;
    app.clock.advance(6 * 60_000);
    const reply = await operator.fill(one, {}, `${one}/import`);
    expect(reply.html).toContain('Confirm your identity');
    expect((await operator.get(one)).html).toContain('Nothing has been imported yet');
  });

  it('are cut off on their way, and nothing falls', async () => {
    const cookie = `portal=${operator.cookie()!}`;
    const { html } = await operator.get(PATH);
    const csrf = /name="csrf" value="([^"]+)"/.exec(html)![1]!;
    const body =
      `--cut\r\nContent-Disposition: form-data; name="csrf"\r\n\r\n${csrf}\r\n` +
      '--cut\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\nhalf';
    const reply = await fetch(new URL(PATH, app.url), {
      method: 'POST',
      headers: { cookie, 'content-type': 'multipart/form-data; boundary=cut' },
      body,
    });
    expect(reply.status).toBe(422);
    expect(await reply.text()).toContain('The upload was incomplete');
  });
});
