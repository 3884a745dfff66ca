import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { TestApp } from './support/app.js';

const SCRIPT = 'scripts/make-sql.js';
const FOLDER = 'docs/sql';

/** Statements of a file by name. */
const statementsOf = (file: string): [name: string, sql: string][] =>
  readFileSync(path.join(FOLDER, file), 'utf8')
    .split(/^-- /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf('\n');
      return [part.slice(0, end), part.slice(end).trim().replace(/;$/, '')];
    });

const FILES = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.sql'))
  .sort();

describe('docs/sql', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterAll(() => app.stop());

  it('is what the code contains', async () => {
    const checked = promisify(execFile)(process.execPath, [SCRIPT, '--check']);
    await expect(checked).resolves.toEqual({ stdout: '', stderr: '' });
  }, 60_000);

  it.each(FILES)('%s can be planned', async (file) => {
    for (const [name, sql] of statementsOf(file)) {
      const planned = app.get(DataSource).transaction(async (tx) => {
        await tx.query('SET LOCAL plan_cache_mode = force_generic_plan');
        await tx.query(`PREPARE explained AS ${sql}`);
        const [{ parameters }] = await tx.query(
          `SELECT cardinality(parameter_types) AS parameters FROM pg_prepared_statements
           WHERE name = 'explained'`,
        );
        const values = Array.from({ length: parameters }, () => 'NULL').join(', ');
        const plan = await tx.query(`EXPLAIN EXECUTE explained${values && `(${values})`}`);
        await tx.query('DEALLOCATE explained');
        return plan.length;
      });
      await expect(planned.catch((error: unknown) => `${name}: ${String(error)}`)).resolves.toEqual(
        expect.any(Number),
      );
    }
  });
});
