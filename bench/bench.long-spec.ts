import { afterAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { BIN } from '../test/support/postgres-server.js';
import { removeFolder, temporaryFolder } from '../test/support/program.js';
import type { Report } from './report.js';
import { WORKS } from './works/works.js';

const run = promisify(execFile);
const LIMIT_MS = 180_000;

const hasServer = BIN !== '' || process.env['TEST_DATABASE_URL'] !== undefined;
if (!hasServer) process.stderr.write('The bench is not tried on a server: there is none here.\n');

describe('the bench', () => {
  const folder = temporaryFolder();
  afterAll(() => removeFolder(folder));

  async function bench(...args: string[]): Promise<Report & { readonly said: string }> {
    const file = path.join(folder, 'figures.json');
    const little = ['--rounds', '1', '--seconds', '0.1', '--connections', '2', '--json', file];
    const program = path.join(import.meta.dirname, 'bench.js');
    const env = { ...process.env, BENCH_ROWS: '300' };
    const { stdout } = await run(process.execPath, [program, ...little, ...args], { env });
    return { ...(JSON.parse(readFileSync(file, 'utf8')) as Report), said: stdout };
  }

  (hasServer ? it : it.skip)(
    'does every work on both sides',
    async () => {
      const works = WORKS.map(({ name }) => name.replaceAll(',', '')).join(',');
      const { chapters, said } = await bench('--on', 'postgres', '--works', works);
      const { results } = chapters[0]!;
      expect(results.map(({ work }) => work)).toEqual(WORKS.map(({ name }) => name));
      for (const { work, measured, yardstick } of results) {
        expect(said).toContain(work);
        for (const side of [measured, yardstick]) expect(side.perSecond).toBeGreaterThan(0);
      }
      const { measured } = results.find(({ work }) => work === 'create')!;
      expect(measured.walBytes).toBeGreaterThan(500);
    },
    LIMIT_MS,
  );

  it(
    'measures the embedded database',
    async () => {
      const { chapters } = await bench('--on', 'embedded', '--works', 'create,paid by callback');
      expect(chapters[0]!.results).toHaveLength(2);
      expect(chapters[0]!.title).toContain('embedded');
    },
    LIMIT_MS,
  );
});
