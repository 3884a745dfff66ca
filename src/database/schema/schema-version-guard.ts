import type { DataSource } from 'typeorm';
import type { Statement } from '../database.js';

/**
 * Schema version that this program supports. A change that is incompatible with older programs raises it here and, in
 * its migration, in the table `schema_fence`.
 */
export const SCHEMA_READS = 1;

export const FENCE: Statement = { name: 'schema_fence', text: 'SELECT reads FROM schema_fence' };

/** The schema belongs to a newer version of the program. */
export class ProgramTooOldError extends Error {
  constructor() {
    super(
      'A newer version of the program has changed the tables of this database: this version is too old for them and does not start. Start the newer version.',
    );
    this.name = 'ProgramTooOldError';
  }
}

/** @throws ProgramTooOldError */
export async function assertMayRead(dataSource: DataSource): Promise<void> {
  if (!(await isThere(dataSource, 'schema_fence'))) return;
  const [fence] = await dataSource.query(FENCE.text);
  if (fence.reads > SCHEMA_READS) throw new ProgramTooOldError();
}

export async function isThere(dataSource: DataSource, table: string): Promise<boolean> {
  const [row] = await dataSource.query('SELECT to_regclass($1) IS NOT NULL AS there', [table]);
  return row.there;
}
