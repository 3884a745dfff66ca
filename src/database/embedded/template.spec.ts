import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { template, templateFile } from './template.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'template-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe(templateFile.name, () => {
  function buildWith(migration: string): string {
    const migrations = path.join(folder, 'src/database/migrations');
    mkdirSync(migrations, { recursive: true });
    writeFileSync(path.join(migrations, '1-orders.js'), migration);
    return templateFile(folder);
  }

  it('is another one for other migrations', () => {
    const first = buildWith('CREATE TABLE orders ()');
    expect(path.dirname(first)).toBe(folder);
    expect(buildWith('CREATE TABLE orders (amount bigint)')).not.toBe(first);
    expect(buildWith('CREATE TABLE orders ()')).toBe(first);
  });
});

describe(template.name, () => {
  const contentOf = async (file: string) =>
    (await template(file))?.arrayBuffer().then((bytes) => Buffer.from(bytes).toString());

  it('is there after the build', async () => {
    expect((await template())!.size).toBeGreaterThan(1_000_000);
  });

  it('is not taken from a file that another user could have changed', async () => {
    const file = path.join(folder, 'a.tar');
    writeFileSync(file, 'a database');
    expect(await contentOf(file)).toBe('a database');
    chmodSync(file, 0o666);
    expect(await contentOf(file)).toBeUndefined();
  });

  it('may be missing', async () => {
    expect(await contentOf(path.join(folder, 'none.tar'))).toBeUndefined();
  });
});
