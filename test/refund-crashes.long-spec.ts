import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { freePort, TestApp } from './support/app.js';
import type { Client } from './support/client.js';
import { createTables, onPostgres } from './support/database.js';
import { count, select } from './support/facts.js';
import { readAll } from './support/feed.js';
import { expectHealthy } from './support/payout-invariants.js';
import { Program, removeFolder, temporaryFolder } from './support/program.js';
import { tally, until } from './support/race.js';
import { RefundingBank } from './support/refunding-bank.js';

const REFUNDS = Number(process.env['REFUNDS'] ?? 40);
const KILLS = Number(process.env['KILLS'] ?? 6);
/** The kill comes at a random moment in this time after the process's first call of the bank. */
const KILL_WITHIN_MS = 1_000;
const PRICE = 1_000;
/** Most of it is the start of the process. */
const ROUND_S = 40;

/** What a shop wants to refund, and the id of the refund once it was told. */
interface Wish {
  readonly txid: string;
  readonly amount: number;
  readonly name: string;
  id?: string;
}

let folder: string;
let programs: Program[];
let bank: RefundingBank;

beforeEach(async () => {
  folder = temporaryFolder();
  programs = [];
  bank = await RefundingBank.open();
});
afterEach(async () => {
  await Promise.all(programs.map((program) => program.kill()));
  bank.close();
  removeFolder(folder);
});

async function start(database: string): Promise<{ program: Program; url: string }> {
  const port = await freePort();
  const args = [database, bank.url, String(port)];
  const program = new Program('../test/support/refunding-process.js', args, {}, folder);
  programs.push(program);
  const url = `http://127.0.0.1:${port}`;
  await program.untilReady(url);
  return { program, url };
}

async function wishes(shop: Client): Promise<Wish[]> {
  const made: Wish[] = [];
  for (let n = 0; n < REFUNDS; n++) {
    const { txid } = await shop.order({ amount: PRICE });
    expect((await shop.pay(txid)).status).toBe(200);
    // All of some orders, and other parts of others.
    made.push({ txid, amount: n % 3 === 0 ? PRICE : 1 + n, name: `R-${n}` });
  }
  return made;
}

/** Asks for a refund, as before when the answer got lost. */
async function ask(shop: Client, wish: Wish): Promise<void> {
  const { txid, amount, name } = wish;
  const body = { amount, refundMerchantId: name };
  const asked = shop.call('POST', `/api/order/${txid}/refund`, body);
  // The service may be gone.
  const answer = await asked.catch(() => null);
  if (answer === null || answer.status === 503) return;
  expect([200, 201]).toContain(answer.status);
  wish.id = String(answer.body['id']);
}

/** What waits for the next call waits no longer. Nobody is calling: the service is dead, and the bank has heard all. */
async function passTime(app: TestApp): Promise<void> {
  await until('the bank has done what it heard', async () => !bank.isBusy);
  await select(app, 'UPDATE refunds SET next_attempt_at = now() WHERE next_attempt_at IS NOT NULL');
  await select(app, `UPDATE jobs SET due_at = now() WHERE name = 'refunds'`);
}

onPostgres(it, 'two processes share the database')(
  'refunds at a bank whose answers get lost are made once, although the service is killed again and again',
  async () => {
    const database = await createTables();
    const app = await TestApp.start({ database, realTime: true });
    const shop = await app.merchant();
    const all = await wishes(shop);
    for (let kill = 0; kill < KILLS; kill++) {
      const { program, url } = await start(database.url);
      const before = bank.calls;
      const most = Math.ceil((REFUNDS * (kill + 1)) / KILLS);
      const open = all.slice(0, most).filter(({ id }) => id === undefined);
      const asking = Promise.all(open.map((wish) => ask(shop.at(url), wish)));
      await until('the bank is called', async () => bank.calls > before);
      await sleep(Math.random() * KILL_WITHIN_MS);
      await program.kill();
      await asking;
      await passTime(app);
      await expectHealthy(app);
    }
    bank.isWell = true;
    const { url } = await start(database.url);
    for (const wish of all) if (wish.id === undefined) await ask(shop.at(url), wish);
    const done = () => count(app, 'refunds', `status = 'succeeded'`);
    await until('all succeeded', async () => (await done()) === REFUNDS, 60);
    await check(app, shop, all);
    await app.stop();
    await database.drop();
  },
  (KILLS + 5) * ROUND_S * 1_000,
);

/** Each refund was paid once, with its own amount, and told of once. */
async function check(app: TestApp, shop: Client, all: readonly Wish[]): Promise<void> {
  process.stderr.write(`${KILLS} kills, calls of the bank: ${JSON.stringify(bank.faults)}\n`);
  expect(await count(app, 'refunds', 'true')).toBe(REFUNDS);
  const expected = all.map(({ id, amount }) => [id, [amount]]);
  expect(Object.fromEntries(bank.paid)).toEqual(Object.fromEntries(expected));
  const types = tally((await readAll(shop)).map(({ type }) => type));
  for (const type of ['requested', 'approved', 'submitted', 'succeeded'])
    expect([type, types[`refund.${type}`]]).toEqual([type, REFUNDS]);
  expect(types['order.refunded']).toBe(REFUNDS);
  await expectHealthy(app);
}
