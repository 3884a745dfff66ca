import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { BankImportService } from '../src/bank/import/import.service.js';
import { uuidv7 } from '../src/common/ids.js';
import { BankFileRepository } from '../src/database/bank/files/bank-file.repository.js';
import { BankFileTryRepository } from '../src/database/bank/files/bank-file-try.repository.js';

import { camtFile } from './support/bank-file.js';
import { collectionAccount, OWN_ACCOUNT } from './support/bank-lines.js';
import { onPostgres } from './support/database.js';
import { count, select } from './support/facts.js';
import { person } from './support/people.js';
import { Program, removeFolder, temporaryFolder } from './support/program.js';
import { openShop } from './support/shop.js';
import { DatabaseUnavailableError } from '../src/database/errors.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const { app } = await openShop();
await collectionAccount(app);
const files = app.get(BankFileRepository);
const fileTries = app.get(BankFileTryRepository);
const insert = files.insert.bind(files);
afterEach(async () => {
  files.insert = insert;
  await select(app, 'DELETE FROM bank_file_tries');
});

let made = 0;
/** Never the same bytes twice. */
const written = (): string =>
  camtFile('053', {
    account: OWN_ACCOUNT,
    id: `S${(made += 1)}`,
    day: '2025-11-20',
    entries: [{ amount: 100 + made, e2e: `E${made}` }],
  });

const brought = (text: string, broughtBy?: string) => {
  const options = { mode: 'test', name: 'a.xml', source: 'folder', broughtBy } as const;
  return app.get(BankImportService).import({ bytes: Buffer.from(text) }, options);
};

/** As a process leaves it that is killed while it imports. */
const begun = (text: string, ago: number) =>
  select(
    app,
    `INSERT INTO bank_file_tries VALUES ($1, 'test', sha256(convert_to($2, 'UTF8')), $3)`,
    [uuidv7(app.clock.now().getTime()), text, new Date(app.clock.now().getTime() - ago)],
  );

const tries = () => count(app, 'bank_file_tries', 'true');

describe('a file whose import', () => {
  it('ends leaves no try', async () => {
    const text = written();
    expect(await brought(text)).toMatchObject({ result: 'imported', new: 1 });
    expect(await brought(text)).toMatchObject({ result: 'known' });
    expect(await brought(text.slice(0, -20))).toMatchObject({ result: 'refused' });
    expect(await tries()).toBe(0);
  });

  it('fails with its connection is counted as failed, not as the end of the service', async () => {
    const text = written();
    files.insert = () => Promise.reject(new Error('no room'));
    const fail = jest.spyOn(fileTries, 'fail').mockRejectedValueOnce(new Error('connection lost'));
    await expect(brought(text)).rejects.toThrow('no room');
    fail.mockRestore();
    expect(await count(app, 'bank_file_tries', 'failed')).toBe(1);
  });

  it('fails five times, whatever for, is refused for a day', async () => {
    const text = written();
    files.insert = () => Promise.reject(new Error('no room'));
    for (let n = 0; n < 5; n++) await expect(brought(text)).rejects.toThrow('no room');
    files.insert = insert;
    const reason = expect.stringContaining('could not be stored 5 times');
    expect(await brought(text)).toMatchObject({ result: 'refused', new: 0, reason });
    expect(await brought(written())).toMatchObject({ result: 'imported' });
    app.clock.advance(DAY_MS + MINUTE_MS);
    expect(await brought(text)).toMatchObject({ result: 'imported', new: 1 });
  });

  it('fails a few times is tried, and stored when that ends', async () => {
    const text = written();
    files.insert = () => Promise.reject(new Error('no room'));
    for (let n = 0; n < 4; n++) await expect(brought(text)).rejects.toThrow('no room');
    files.insert = insert;
    expect(await brought(text)).toMatchObject({ result: 'imported', new: 1 });
  });

  it.each([
    ['beginning', fileTries, 'begin'],
    ['file', files, 'insert'],
    ['bringer', files, 'recordInvolved'],
    ['bytes', files, 'writePart'],
    ['end', files, 'finish'],
  ] as const)('loses the answer that its %s is stored stores it once', async (_, store, name) => {
    const { id: broughtBy } = await person(app, 'operator');
    const steps = store as unknown as Record<string, (...values: unknown[]) => Promise<unknown>>;
    const step = jest.spyOn(steps, name).mockImplementationOnce(async (...values) => {
      await steps[name]!(...values);
      throw new DatabaseUnavailableError(new Error('Connection terminated unexpectedly'));
    });
    expect(await brought(written(), broughtBy)).toMatchObject({ result: 'imported', new: 1 });
    // By the trial, within it, and again.
    expect(step).toHaveBeenCalledTimes(3);
    expect(await tries()).toBe(0);
    step.mockRestore();
  });

  it('has ended one process, or is under way in others, is tried', async () => {
    const text = written();
    await begun(text, 2 * MINUTE_MS);
    for (let n = 0; n < 3; n++) await begun(text, 1_000);
    expect(await brought(text)).toMatchObject({ result: 'imported' });
  });

  it('has ended two processes is refused for a day', async () => {
    const text = written();
    for (let n = 0; n < 2; n++) await begun(text, 2 * MINUTE_MS);
    const reason = expect.stringContaining('The service was ended twice while it imported this');
    for (let n = 0; n < 2; n++)
      expect(await brought(text)).toMatchObject({ result: 'refused', new: 0, reason });
    expect(await brought(written())).toMatchObject({ result: 'imported' });
    app.clock.advance(DAY_MS);
    expect(await brought(text)).toMatchObject({ result: 'imported', new: 1 });
  });
});

onPostgres(it, 'two processes share the database')(
  'a file that ends the process is refused after two processes',
  async () => {
    const folder = temporaryFolder();
    const text = written();
    const run = async (minutes: number) => {
      const args = [app.database.url, text, String(minutes)];
      const program = new Program('../test/support/importing-process.js', args, {}, folder);
      const { code, out, err } = await program.result;
      if (code !== null && code !== 0) throw new Error(err);
      return program.child.signalCode ?? out;
    };
    expect([await run(0), await run(2)]).toEqual(['SIGKILL', 'SIGKILL']);
    expect(await run(4)).toContain('refused');
    removeFolder(folder);
  },
  180_000,
);
