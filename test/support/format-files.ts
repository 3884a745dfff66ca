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
import { collectionAccount, told } from './bank-lines.js';
import type { Client } from './client.js';
import { select } from './facts.js';

/** How a line stands that has paid, and one that waits because of another format or statement. */
export const PAID = { state: 'matched', reason: 'reference' };
export const WAITS = { state: 'suggested', reason: 'total_or_payment' };
export const DIFFERS = { state: 'suggested', reason: 'statements_differ' };

const IBANS = ['NL91ABNA0417164300', 'BE68539007547034', 'FR1420041010050500013M02606'];
let files = 0;
let amounts = 2_000_000;

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
  select<{ id: string; state: string; reason: string; formats: string[]; lookedAt: Date }>(
    app,
    'SELECT id, state, reason, formats, looked_at AS "lookedAt" FROM bank_lines WHERE amount = $1 ORDER BY id',
    [amount],
  );

export const stateOf = async (app: TestApp, { amount }: WrittenEntry) =>
  (await linesOf(app, amount))[0];

/** A transfer of the whole amount of an order, from a named payer. */
export async function transfer(
  app: TestApp,
  shop: Client,
  nth = 0,
  amount = (amounts += 1_003),
): Promise<WrittenEntry> {
  const text = await told(app, shop, await shop.order({ amount }));
  return { amount, text, payer: { name: 'Payer', iban: IBANS[nth]! } };
}

/** Three transfers, and a total that the bank writes with the account of the first, for an order of exactly the sum. */
export async function batch(app: TestApp, shop: Client) {
  const parts: WrittenEntry[] = [];
  for (const nth of IBANS.keys()) parts.push(await transfer(app, shop, nth));
  const amount = parts.reduce((sum, part) => sum + part.amount, 0);
  const total = await transfer(app, shop, 0, amount);
  const all = [total, ...parts].map((each) => each.amount);
  return { parts, total, paid: () => creditedBy(app, all) };
}
