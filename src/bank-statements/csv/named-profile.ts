import { readFile } from 'node:fs/promises';
import { refuse } from '../refused.js';
import { type CsvProfile, readCsvProfile } from './csv-profile.js';
import { CSV_PROFILES } from './csv-profiles.js';

/**
 * Returns a built-in profile by its name, or reads a profile from a JSON file.
 * @throws StatementRefusedError
 */
export async function namedProfile(name: string): Promise<CsvProfile> {
  const known = CSV_PROFILES.find((profile) => profile.name === name);
  if (known) return known;
  const json = await readFile(name, 'utf8').catch((error: NodeJS.ErrnoException) =>
    refuse(`The profile ${name} cannot be read: ${error.code ?? error.message}.`),
  );
  return readCsvProfile(json);
}
