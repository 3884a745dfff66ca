import { resolve } from 'node:path';
import type { Variable } from './variable.js';

export const FOLDER_VARIABLES = {
  STATEMENT_FOLDER: {
    help: 'Folder that is watched for bank statements: they come in from its folder in, and go to done or refused.',
    expects: 'a folder',
    parse: (text) => resolve(text),
  } as Variable<string>,
  STATEMENT_FOLDER_MODE: {
    help: 'Mode of the statements in that folder, live or test; has to be set with it.',
    expects: 'live or test',
    parse: (text) => (['live', 'test'] as const).find((mode) => mode === text),
  } as Variable<'live' | 'test'>,
  STATEMENT_FOLDER_PROFILE: {
    help: 'How CSV in that folder is read: the name of a profile, or a file with one.',
    expects: 'the name of a profile, or a file',
    parse: (text) => text,
  } as Variable<string>,
};

/** Where bank statements are watched for. */
export interface StatementFolder {
  readonly path: string;
  readonly mode: 'live' | 'test';
  readonly profile: string | undefined;
}

type Read = <T>(name: keyof typeof FOLDER_VARIABLES, variable: Variable<T>) => T | undefined;

/** @param faults gets one when the mode is missing */
export function statementFolderOf(read: Read, faults: string[]): StatementFolder | undefined {
  const path = read('STATEMENT_FOLDER', FOLDER_VARIABLES.STATEMENT_FOLDER);
  const before = faults.length;
  const mode = read('STATEMENT_FOLDER_MODE', FOLDER_VARIABLES.STATEMENT_FOLDER_MODE);
  const profile = read('STATEMENT_FOLDER_PROFILE', FOLDER_VARIABLES.STATEMENT_FOLDER_PROFILE);
  if (path === undefined) return undefined;
  if (mode) return { path, mode, profile };
  const isMissing = faults.length === before;
  if (isMissing) faults.push('STATEMENT_FOLDER_MODE must be live or test, as there is a folder');
  return undefined;
}
