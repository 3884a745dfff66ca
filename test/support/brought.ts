import { expect } from '@jest/globals';
import { BankImportService } from '../../src/bank/import/import.service.js';
import type { CsvProfile } from '../../src/bank-statements/csv/csv-profile.js';
import type { BankLine } from '../../src/database/bank/lines/bank-line.entity.js';
import { BankLineRepository } from '../../src/database/bank/lines/bank-line.repository.js';
import type { TestApp } from './app.js';
import { OWN_ACCOUNT } from './bank-lines.js';

/** Imports files one after the other, as the command line does; none is known or refused. */
export async function brought(
  app: TestApp,
  files: readonly (string | Buffer)[],
  profile?: CsvProfile,
): Promise<void> {
  for (const content of files) {
    const options = { mode: 'test', name: 'a.txt', source: 'cli', profile } as const;
    const file = { bytes: Buffer.from(content) };
    const result = await app.get(BankImportService).import(file, options);
    expect(result).toMatchObject({ result: 'imported' });
  }
}

/** What `OWN_ACCOUNT` has of such an amount. */
export async function linesWith(app: TestApp, amount: number): Promise<BankLine[]> {
  const filter = { mode: 'test', account: OWN_ACCOUNT } as const;
  const lines = await app.get(BankLineRepository).list(filter, 10_000);
  return lines.filter((line) => line.amount === amount);
}

/** Those of them that may be other ones, of which a person has to say. */
export const askedAbout = async (app: TestApp, amount: number): Promise<BankLine[]> =>
  (await linesWith(app, amount)).filter(({ reason }) => reason === 'possible_duplicate');
