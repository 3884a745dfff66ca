import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PATHS = /(?<![\w/])(?:src|test|bench|scripts|docs)\/[\w.-]+(?:\/[\w.-]+)*(?<!\.)/g;

const pathsIn = (page: string): string[] =>
  readFileSync(path.join(ROOT, page), 'utf8').match(PATHS) ?? [];

const foldersOf = (folder: string): string[] =>
  readdirSync(path.join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${folder}/${name}`);

describe('the map of the code', () => {
  it.each(['docs/architecture.md', 'CONTRIBUTING.md'])('%s names what there is', (page) => {
    const paths = pathsIn(page);
    expect(paths.length).toBeGreaterThan(20);
    expect(paths.filter((each) => !existsSync(path.join(ROOT, each)))).toEqual([]);
  });

  it('has a line for every room', () => {
    const rooms = ['src', 'src/database', 'src/portal'].flatMap(foldersOf);
    const onMap = new Set(pathsIn('docs/architecture.md'));
    expect(rooms.filter((room) => !onMap.has(room))).toEqual([]);
  });
});

describe('Unicode normalisation', () => {
  it('is called in one file, which limits runs of combining marks', () => {
    const files = globSync('src/**/*.ts', { cwd: ROOT, exclude: ['**/*.spec.ts'] });
    expect(files.length).toBeGreaterThan(500);
    const normalising = files.filter((file) =>
      readFileSync(path.join(ROOT, file), 'utf8').includes('.normalize('),
    );
    expect(normalising).toEqual(['src/common/normalized-text.ts']);
  });

  it('is called by one SQL function, which limits them, too', () => {
    const files = globSync('src/**/*.{ts,sql}', { cwd: ROOT, exclude: ['**/*.spec.ts'] });
    const normalising = files.flatMap((file) =>
      (readFileSync(path.join(ROOT, file), 'utf8').match(/(?<![.\w])normalize\(/g) ?? []).map(
        () => file,
      ),
    );
    expect(normalising).toEqual(['src/database/migrations/baseline/bank.rules.sql']);
  });
});
