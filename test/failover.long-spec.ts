import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { TestApp } from './support/app.js';
import type { Client } from './support/client.js';
import { onPostgres } from './support/database.js';
import { Haproxy } from './support/haproxy.js';
import { PostgresServer } from './support/postgres-server.js';
import { tally, until } from './support/race.js';

const ROUNDS = Number(process.env['FAILOVER_ROUNDS'] ?? 1);
const RATE = 150;
/** Writes a second that hang. */
const HANGING = 20;
/** Seconds that the only standby is dead. */
const DEAD_S = Number(process.env['FAILOVER_DEAD_S'] ?? 8);
/** Milliseconds from the moment that the switch leads to the new primary to a write that succeeds. */
const GOOD_AGAIN_MS = 1_000;
/** The pool, and what background work holds beside it. */
const SESSIONS_MAX = 19;

const STANDBY = 'beside';

interface Sent {
  readonly id: string;
  readonly status: number;
  /** When the answer came. */
  readonly at: number;
}

/** Sends requests at a fixed rate until it is stopped, however slowly they are answered. */
class Load {
  private readonly sent: Promise<Sent>[] = [];
  private readonly timer: NodeJS.Timeout;

  constructor(perSecond: number, ask: (n: number) => Promise<Omit<Sent, 'at'>>) {
    const start = performance.now();
    this.timer = setInterval(() => {
      while (this.sent.length < ((performance.now() - start) * perSecond) / 1_000) {
        const asked = ask(this.sent.length);
        this.sent.push(asked.then((answer) => ({ ...answer, at: performance.now() })));
      }
    }, 5);
  }

  stop(): Promise<Sent[]> {
    clearInterval(this.timer);
    return Promise.all(this.sent);
  }
}

const creates = (shop: Client, name: string) => async (n: number) => {
  const id = `${name}-${n}`;
  const body = { orderMerchantId: id, amount: 100, currency: 'EUR' };
  const answer = await shop.send('POST', '/api/order', body, { 'idempotency-key': id });
  await answer.text();
  return { id, status: answer.status };
};

/** The load comes as if through a proxy: one address alone may not hold so many connections. */
const ENV = { LOG_LEVEL: 'fatal', ROLE: 'all', TRUST_PROXY: '127.0.0.1' };

const start = (port: number): Promise<TestApp> => {
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const database = { url, isPostgres: true, drop: async () => {} };
  return TestApp.start({ database, env: ENV, realTime: true });
};

/** A second server, for which each commit of the first waits. */
async function follow(primary: PostgresServer): Promise<PostgresServer> {
  const standby = await PostgresServer.following(primary, STANDBY);
  await primary.set('synchronous_standby_names', STANDBY);
  const waits = `SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'`;
  await until('commits wait', async () => (await primary.query(waits)).length === 1);
  return standby;
}

const suite = onPostgres(describe, 'they make servers of their own');

suite('two servers, one of which follows the other', () => {
  it(
    'lose nothing that was acknowledged when the first dies',
    async () => {
      for (let round = 0; round < ROUNDS; round++) {
        await using stack = new AsyncDisposableStack();
        const primary = await PostgresServer.start();
        stack.defer(() => primary.remove());
        const standby = await follow(primary);
        stack.defer(() => standby.remove());
        const haproxy = await Haproxy.start([primary.port, standby.port]);
        stack.defer(() => haproxy.stop());
        const app = await start(haproxy.port);
        stack.defer(() => app.stop());
        const load = new Load(RATE, creates(await app.merchant(), `ROUND-${round}`));
        await sleep(3_000);
        await primary.stop('SIGQUIT');
        await sleep(500);
        await standby.promote();
        const promoted = performance.now();
        await until('the switch leads to the second', () => haproxy.leads());
        const switched = performance.now();
        await sleep(3_000);
        const sent = await load.stop();
        const rows = await standby.query<{ id: string }>(
          'SELECT order_merchant_id AS id FROM orders',
        );
        const kept = new Set(rows.map(({ id }) => id));
        const good = sent.filter(({ status }) => status === 201);
        const again = Math.min(...good.map(({ at }) => at).filter((at) => at > promoted));
        const kinds = tally(sent.map(({ status }) => status));
        process.stderr.write(
          `${JSON.stringify({ round, kinds, switchMs: switched - promoted, againMs: again - switched })}\n`,
        );
        expect(good.filter(({ id }) => !kept.has(id))).toEqual([]);
        expect(Object.keys(kinds).filter((status) => !['201', '503'].includes(status))).toEqual([]);
        expect(again - switched).toBeLessThan(GOOD_AGAIN_MS);
      }
    },
    ROUNDS * 60_000,
  );

  it(
    'answer reads, and hold no more sessions, while the second is dead',
    async () => {
      await using stack = new AsyncDisposableStack();
      const primary = await PostgresServer.start();
      stack.defer(() => primary.remove());
      const standby = await follow(primary);
      stack.defer(() => standby.remove());
      const app = await start(primary.port);
      stack.defer(() => app.stop());
      const shop = await app.merchant();
      const order = await shop.order();
      const read = async (n: number) => {
        const answer = await shop.send('GET', `/api/order?txid=${order.txid}`);
        await answer.text();
        return { id: String(n), status: answer.status };
      };
      await standby.stop();
      const [reads, writes] = [new Load(RATE / 2, read), new Load(HANGING, creates(shop, 'DEAD'))];
      const sessions: number[] = [];
      for (let second = 0; second < DEAD_S; second++) {
        await sleep(1_000);
        const text = `SELECT 1 FROM pg_stat_activity WHERE application_name = 'orders'`;
        sessions.push((await primary.query(text)).length);
      }
      const answers = await reads.stop();
      const refused = await writes.stop();
      const good = answers.filter(({ status }) => status === 200).length / answers.length;
      const kinds = tally(refused.map(({ status }) => status));
      const most = Math.max(...sessions);
      process.stderr.write(
        `${JSON.stringify({ reads: answers.length, good, writes: kinds, most })}\n`,
      );
      expect(good).toBeGreaterThanOrEqual(0.95);
      expect(Object.keys(kinds).filter((status) => !['201', '503'].includes(status))).toEqual([]);
      expect(most).toBeLessThanOrEqual(SESSIONS_MAX);
      await standby.start();
      await until('writes succeed again', async () => (await shop.create()).status === 201);
    },
    (DEAD_S + 60) * 1_000,
  );
});
