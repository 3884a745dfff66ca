/**
 * `npm run bench:memory -- [MINUTES]`: how soon the service is ready on the embedded database in memory, what memory it
 * has then, and how much more it has after so many minutes (10) of creations, look-ups and payment
 * pages that 64 connections ask a PostgreSQL server for, than after the first.
 */
import { freePort } from '../test/support/app.js';
import {
  Program,
  removeFolder,
  residentMegabytes,
  temporaryFolder,
} from '../test/support/program.js';
import { median } from './figures/statistics.js';
import { Load } from './load/load.js';
import { serverUrl } from './server.js';
import { postgresDatabase } from './sides/database.js';
import { SERVICE } from './sides/service.js';
import { Side } from './sides/side.js';
import { furnish } from './sides/supplies.js';
import { WORKS } from './works/works.js';

const STARTS = 5;
const MIX = ['create with a key', 'status by txid', 'read', 'payment page'];
const CONNECTIONS = 64;
const RUSH_SECONDS = 5;
/** More requests than are answered in that time. */
const REQUESTS = RUSH_SECONDS * 12_000;
const ROWS = 20_000;

async function measureStart(): Promise<{ readonly seconds: number; readonly megabytes: number }> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.adopt(temporaryFolder(), removeFolder);
  const port = String(await freePort());
  const began = performance.now();
  const program = new Program('main.js', [], { DATABASE_URL: 'memory:', PORT: port }, folder);
  stack.defer(async () => void (await program.kill('SIGTERM')));
  await program.untilReady(`http://127.0.0.1:${port}`);
  return {
    seconds: (performance.now() - began) / 1_000,
    megabytes: residentMegabytes(program.child.pid),
  };
}

/** @returns megabytes after each rush of a minute, minute by minute */
async function measureLoad(minutes: number): Promise<number[][]> {
  await using stack = new AsyncDisposableStack();
  const server = await serverUrl(stack);
  const load = Load.start(stack);
  const side = await Side.start(stack, SERVICE, await postgresDatabase(stack, server));
  const furnished = { side, supplies: await furnish(side, { rows: ROWS, each: 1 }) };
  const works = WORKS.filter(({ name }) => MIX.includes(name));
  const { port, pid } = side;
  const measured: number[][] = [];
  const start = performance.now();
  for (let rush = 0, minute = 0; minute < minutes; rush++) {
    const work = works[rush % works.length]!;
    const { requests, circular } = await work.errand(furnished, REQUESTS);
    const { expected } = work;
    const pace = { seconds: RUSH_SECONDS, connections: CONNECTIONS };
    await load.rush({ port, requests, circular, expected, ...pace });
    (measured[minute] ??= []).push(residentMegabytes(pid));
    minute = Math.floor((performance.now() - start) / 60_000);
  }
  return measured;
}

const starts = [];
for (let n = 0; n < STARTS; n++) starts.push(await measureStart());
const seconds = median(starts.map((start) => start.seconds));
const megabytes = median(starts.map((start) => start.megabytes));
console.log(`ready after ${seconds.toFixed(1)} s, with ${megabytes.toFixed(0)} MB`);

const minutes = Number(process.argv[2] ?? 10);
const middles = (await measureLoad(minutes)).map((minute) => median(minute));
console.log(`minute by minute: ${middles.map((middle) => middle.toFixed(0)).join(', ')} MB`);
const growth = (middles.at(-1)! / middles[0]! - 1) * 100;
console.log(`growth after the first minute: ${growth.toFixed(1)} %`);
