import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { freePort } from './support/app.js';
import { createTables, type TestDatabase } from './support/database.js';
import { removeFolder, temporaryFolder } from './support/program.js';
import { until } from './support/race.js';

const MAIN = path.resolve(import.meta.dirname, '../src/main.js');
/** Milliseconds that a stop may take. */
const STOP_LIMIT = 10_000;
const SMALL_BYTES = 65_536;
/** A mistake that a signal makes, for none is known beforehand. */
const MISTAKE = `process.on('SIGWINCH', () => { throw new Error('nobody catches'); });`;
const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(MISTAKE)}`;

/** @returns why there can be no small file system */
function mountSmall(folder: string): string | null {
  mkdirSync(folder);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SMALL_BYTES}`, 'none', folder], {
      stdio: 'pipe',
    });
    return null;
  } catch (error) {
    return String((error as { stderr: Buffer }).stderr);
  }
}

/** How many there are; each is whole. */
function linesIn(file: string): number {
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  for (const line of lines) JSON.parse(line);
  return lines.length;
}

describe('a log that nobody can write', () => {
  let folder: string;
  let database: TestDatabase;
  let service: ChildProcess;
  let errors: Promise<string>;
  let url: string;
  let open: number[];
  let mounted: string[];

  beforeEach(async () => {
    folder = temporaryFolder();
    database = await createTables();
    [open, mounted] = [[], []];
  });
  afterEach(async () => {
    service.kill('SIGKILL');
    for (const descriptor of open) closeSync(descriptor);
    for (const place of mounted) execFileSync('umount', ['-l', place]);
    await database.drop();
    removeFolder(folder);
  });

  const keepOpen = (file: string, flags: string): number => {
    const descriptor = openSync(file, flags);
    open.push(descriptor);
    return descriptor;
  };

  function smallPlace(): string | null {
    const place = path.join(folder, 'small');
    const why = mountSmall(place);
    if (why) process.stderr.write(`No file system can be filled here: ${why}\n`);
    else mounted.push(place);
    return why ? null : place;
  }

  /** A pipe with a reader that never reads. */
  function stoppedReader(): number {
    const pipe = path.join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    return keepOpen(pipe, 'r+');
  }

  async function spawnOn(out: number | 'pipe', more: Record<string, string> = {}): Promise<void> {
    const port = String(await freePort());
    url = `http://127.0.0.1:${port}`;
    const place = database.isPostgres ? database.url : `file:${path.join(folder, 'data')}`;
    const env = {
      PORT: port,
      DATABASE_URL: place,
      SHUTDOWN_GRACE_SECONDS: '0',
      RATE_LIMITS: 'off',
    };
    service = spawn(process.execPath, [MAIN], {
      cwd: folder,
      env: { ...env, ...more, NODE_OPTIONS },
      stdio: ['ignore', out, 'pipe'],
    });
    errors = text(service.stderr!);
  }

  async function start(out: number | 'pipe'): Promise<void> {
    await spawnOn(out);
    await until('ready', async () => (await ask('/health/ready'))?.ok === true);
  }

  const ask = (route: string): Promise<Response | undefined> =>
    fetch(url + route, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);

  const lost = async (): Promise<number> => {
    const metrics = await (await ask('/metrics'))!.text();
    return Number(/^payment_orders_log_lines_lost_total (\d+)$/m.exec(metrics)?.[1]);
  };

  /** Each request is a line. */
  async function askOften(): Promise<void> {
    for (let round = 0; round < 100; round++) {
      await Promise.all(Array.from({ length: 20 }, () => ask('/pay/x')));
    }
  }

  async function losesLinesAndNothingElse(): Promise<void> {
    for (let turn = 0; turn < 10 && !((await lost()) > 100); turn++) await askOften();
    expect(await lost()).toBeGreaterThan(100);
    expect((await ask('/health/live'))?.status).toBe(200);
    expect((await ask('/pay/x'))?.status).toBe(404);
  }

  async function untilNothingIsLost(file: string): Promise<{ lines: number; lost: number }> {
    for (let then = await lost(); ; then = await lost()) {
      const lines = linesIn(file);
      await ask('/pay/x');
      await until('a line', async () => linesIn(file) > lines || (await lost()) > then);
      if ((await lost()) === then) return { lines: linesIn(file), lost: then };
    }
  }

  async function endsWith(expected: number, signal: NodeJS.Signals): Promise<void> {
    const begun = Date.now();
    service.kill(signal);
    const [code] = (await once(service, 'exit')) as [number | null];
    expect([code, await errors]).toEqual([expected, '']);
    expect(Date.now() - begun).toBeLessThan(STOP_LIMIT);
  }

  it('is a full file system: the service goes on, and so does the log once there is space', async () => {
    const place = smallPlace();
    if (!place) return;
    const file = path.join(place, 'log');
    await start(keepOpen(file, 'a'));
    await losesLinesAndNothingElse();
    execFileSync('mount', ['-o', 'remount,size=16m', place]);
    const before = await untilNothingIsLost(file);
    await askOften();
    await until('all lines', async () => linesIn(file) >= before.lines + 2_000);
    expect(await lost()).toBe(before.lost);
    await endsWith(0, 'SIGTERM');
  });

  it('is full from the start: the service starts, and ends by an error as always', async () => {
    await start(keepOpen('/dev/full', 'a'));
    await losesLinesAndNothingElse();
    await endsWith(1, 'SIGWINCH');
  });

  it.each<[string, () => number | 'pipe']>([
    ['a pipe', stoppedReader],
    ['a socket', () => 'pipe'],
  ])('is %s whose reader stands still', async (_, out) => {
    await start(out());
    await losesLinesAndNothingElse();
    await endsWith(0, 'SIGTERM');
  });

  it('is a pipe whose reader has died', async () => {
    await start('pipe');
    service.stdout!.destroy();
    await losesLinesAndNothingElse();
    await endsWith(0, 'SIGTERM');
  });

  it('is on the disk of the demo file: nothing is seeded, and no draft is left', async () => {
    const place = smallPlace();
    if (!place) return;
    writeFileSync(path.join(place, 'ballast'), Buffer.alloc(SMALL_BYTES));
    await spawnOn('pipe', { DEMO: '1', DEMO_FILE: path.join(place, 'demo.json') });
    const [code] = (await once(service, 'exit')) as [number | null];
    expect([code, await errors]).toEqual([1, expect.stringContaining('ENOSPC')]);
    expect(readdirSync(place)).toEqual(['ballast']);
  });
});
