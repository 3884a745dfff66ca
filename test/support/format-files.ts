import { expect } from '@jest/globals';
import { BankImportService } from '../../src/bank/import/import.service.js';
import type { TestApp } from './app.js';
import {
  camtFile,
  csvFile,
  csvProfileOf,
  mt940File,
  type WrittenEntry,
  type WrittenStatement,
} from './bank-file.js';
import { collectionAccount } from './bank-lines.js';
import { select } from './facts.js';

let files = 0;

/** Writers of files in all formats for a new account, from the first to the last day. */
export async function formatFiles(app: TestApp, from: string, day: string) {
  files += 1;
  const account = `DE${String(files).padStart(20, '0')}`;
  await collectionAccount(app, account);
  const statement = (entries: readonly WrittenEntry[]): WrittenStatement => ({
    account,
    day,
    from,
    id: `S${++files}`,
    entries,
  });
  const profile = csvProfileOf(account);
  const bring = async (text: string): Promise<void> => {
    const options = { mode: 'test', name: 'a', source: 'cli', profile } as const;
    const file = { bytes: Buffer.from(text) };
    const imported = await app.get(BankImportService).import(file, options);
    expect(imported).toMatchObject({ result: 'imported' });
  };
  return {
    statement,
    bring,
    mt940: (...entries: WrittenEntry[]) => mt940File(statement(entries)),
    camt052: (...entries: WrittenEntry[]) => camtFile('052', statement(entries)),
    camt053: (...entries: WrittenEntry[]) => camtFile('053', statement(entries)),
    camt054: (...entries: WrittenEntry[]) => camtFile('054', statement(entries)),
    csv: (...entries: WrittenEntry[]) => csvFile(statement(entries)),
  };
}
export type FormatFiles = Awaited<ReturnType<typeof formatFiles>>;

/** Minor units that lines of these amounts have paid. */
export async function creditedBy(app: TestApp, money: readonly number[]): Promise<number> {
  const [row] = await select<{ paid: number }>(
    app,
    `SELECT coalesce(sum(a.amount), 0)::int AS paid FROM bank_allocations a JOIN bank_lines l ON l.id = a.line_id
     WHERE a.undone_at IS NULL AND l.amount = ANY ($1)`,
    [money],
  );
  return row!.paid;
}

/** Lines of an amount. */
export const linesOf = (app: TestApp, amount: number) =>
  select<{ id: string; state: string; reason: string; formats: string[] }>(
    app,
    'SELECT id, state, reason, formats FROM bank_lines WHERE amount = $1 ORDER BY id',
    [amount],
  );
