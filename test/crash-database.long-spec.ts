import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { freePort } from './support/app.js';
import { Client } from './support/client.js';
import { onPostgres } from './support/database.js';
import { PostgresServer } from './support/postgres-server.js';
import { Program, removeFolder, temporaryFolder } from './support/program.js';
import { CRASH_ROUNDS, together, until } from './support/race.js';
import { Sales } from './support/selling.js';

/** The server goes at a random moment in this time after the first payment. */
const WITHIN_MS = 500;
/** It is away for up to so long. */
const AWAY_MS = 1_500;
const SHOPS = 8;

/** Stopped in order, with a word to each session; crashed; and the service killed at the same time. */
const ENDS = ['SIGINT', 'SIGQUIT', 'both'] as const;

const run = onPostgres(it, 'the embedded database ends with its process');

let server: PostgresServer;
let folder: string;
let service: Program;
let url: string;

const env = async () => ({
  PORT: new URL(url).port,
  DATABASE_URL: server.url,
  RATE_LIMITS: 'off',
  LOG_LEVEL: 'error',
  DEMO: '1',
  DEMO_FILE: path.join(folder, 'demo.json'),
});

async function start(): Promise<void> {
  service = new Program('main.js', [], await env(), folder);
  await service.untilReady(url);
}

function shop(): Client {
  const { merchants } = JSON.parse(readFileSync(path.join(folder, 'demo.json'), 'utf8'));
  return new Client(url, merchants[0].apiKey, merchants[0].id, '');
}

beforeAll(async () => {
  server = await PostgresServer.start({ fsync: 'on' });
  folder = temporaryFolder();
  url = `http://127.0.0.1:${await freePort()}`;
  await start();
});
afterAll(async () => {
  await service.kill();
  await server.remove();
  removeFolder(folder);
});

/** Takes the server away in the middle of sales, and gives it back. */
async function crash(end: (typeof ENDS)[number]): Promise<void> {
  await sleep(Math.random() * WITHIN_MS);
  await server.stop(end === 'SIGINT' ? 'SIGINT' : 'SIGQUIT');
  if (end === 'both') await service.kill();
  await sleep(Math.random() * AWAY_MS);
  await server.start();
  if (end === 'both') await start();
}

run(
  'is lived through: nothing that was acknowledged is lost or doubled, and shops hear 503 alone',
  async () => {
    for (let round = 0; round < CRASH_ROUNDS; round++) {
      const sales = new Sales();
      const selling = together(() => sales.sell(shop()), SHOPS);
      await until('a payment is acknowledged', async () => sales.paid.size > 0);
      const before = sales.created.size;
      const end = ENDS[round % ENDS.length]!;
      await crash(end);
      if (end !== 'both') {
        await until('orders are made again', async () => sales.created.size > before + SHOPS);
      }
      sales.stop();
      await selling;
      expect(service.child.exitCode).toBeNull();
      expect(
        Object.keys(sales.statuses).filter((status) => !/^(200|201|409|503)$/.test(status)),
      ).toEqual([]);
      await sales.check(shop());
    }
    const doctor = new Program('cli/cli.js', ['doctor'], await env(), folder);
    const { code, out } = await doctor.result;
    expect([code, out]).toEqual([0, expect.stringContaining(' passed, 0 failed')]);
  },
  CRASH_ROUNDS * 40_000,
);
