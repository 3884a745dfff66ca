import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestApp } from './support/app.js';
import type { Client } from './support/client.js';
import { connect, createTables, onPostgres, type TestDatabase } from './support/database.js';
import { select } from './support/facts.js';
import { type EventJson, readAll, readOn } from './support/feed.js';
import { together, until } from './support/race.js';

const WRITERS = 20;
/** Orders of each writer before anybody reads, and after. */
const ORDERS = { before: 2, after: 4 } as const;
const ALL_ORDERS = WRITERS * (ORDERS.before + ORDERS.after);
/** Events on a page of each reader. */
const LIMITS = [1, 3, 10, 25, 100];

const onServer = onPostgres(it, 'the embedded database has one session');

describe('readers that follow the feed', () => {
  let database: TestDatabase;
  /** Two processes on a server; the embedded database belongs to one. */
  let apps: readonly TestApp[];
  let app: TestApp;

  beforeAll(async () => {
    database = await createTables();
    app = await TestApp.start({ database });
    apps = database.isPostgres ? [app, await TestApp.start({ database })] : [app];
  });
  afterAll(async () => {
    await Promise.all(apps.map((each) => each.stop()));
    await database.drop();
  });

  const at = (shop: Client, n: number): Client => shop.at(apps[n % apps.length]!.url);

  /** Clocks differ and are set back; an order's own times never go back all the same. */
  const disturbClocks = () => {
    for (const each of apps) each.clock.advance(Math.round(Math.random() * 8) - 4);
  };

  /** Reads on until the writers are done, and once more. */
  async function follow(reader: Client, limit: number, isDone: () => boolean) {
    const seen: EventJson[] = [];
    let next: string | null = null;
    for (let last = false; ; last = isDone()) {
      const read = await readOn(reader, next, { limit });
      seen.push(...read.pages.flatMap(({ data }) => data));
      ({ next } = read);
      if (last) return seen;
    }
  }

  async function write(shop: Client, orders: number): Promise<void> {
    for (let n = 0; n < orders; n++) {
      disturbClocks();
      const { txid } = await shop.order();
      if (n % 3 === 0) await shop.cancel(txid);
      else await shop.pay(txid, { outcome: n % 3 === 1 ? 'paid' : 'declined' });
    }
  }

  it('see every event once, each order’s in sequence, and all of them in one order', async () => {
    const shop = await app.merchant();
    await together((n) => write(at(shop, n), ORDERS.before), WRITERS);
    let done = false;
    const readers = Promise.all(LIMITS.map((limit, n) => follow(at(shop, n), limit, () => done)));
    await together((n) => write(at(shop, n), ORDERS.after), WRITERS).finally(() => (done = true));
    const [first, ...others] = (await readers).map((events) => events.map(({ id }) => id));
    for (const other of others) expect(other).toEqual(first);

    const written = await select<{ id: string }>(
      app,
      'SELECT id FROM events WHERE merchant_id = $1',
      [shop.merchantId],
    );
    expect(written.length).toBeGreaterThan(ALL_ORDERS * 2);
    expect(first!.toSorted()).toEqual(written.map(({ id }) => id).toSorted());

    const sequences = Map.groupBy(await readAll(shop), ({ data }) => data.txid);
    expect(sequences.size).toBe(ALL_ORDERS);
    for (const events of sequences.values()) {
      expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, n) => n + 1));
    }
  });

  onServer('see an event at the end whose transaction committed late', async () => {
    const shop = await app.merchant();
    const { txid } = await shop.order();
    const before = await readOn(shop, null);
    const late = randomUUID();
    const other = await connect(database.url);
    try {
      await other.query('BEGIN');
      await other.query(
        `INSERT INTO events (merchant_id, id, txid, mode, sequence, type, data, created_at)
         VALUES ($1, $2, $3, 'test', 2, 'order.exception', '{"status": "open"}', '2020-01-01')`,
        [shop.merchantId, late, txid],
      );
      await Promise.all([shop.order(), shop.order()]);
      const meanwhile = await readOn(shop, before.next);
      expect(meanwhile.pages.flatMap(({ data }) => data)).toHaveLength(2);
      expect((await readOn(shop, meanwhile.next)).pages.flatMap(({ data }) => data)).toEqual([]);

      await other.query('COMMIT');
      const afterwards = await readOn(shop, meanwhile.next);
      expect(afterwards.pages.flatMap(({ data }) => data)).toMatchObject([{ id: late }]);
      const ids = (await readAll(shop)).map(({ id }) => id);
      expect(ids).toHaveLength(4);
      expect(ids.indexOf(late)).toBe(3);
      expect((await readOn(shop, late)).next).toBe(late);
    } finally {
      await other.end();
    }
  });

  onServer('wait for the one that gives out places, and give none twice', async () => {
    const shop = await app.merchant();
    await together(() => shop.order());
    const other = await connect(database.url);
    try {
      await readAll(shop);
      await together(() => shop.order());
      await other.query('BEGIN');
      await other.query('SELECT FROM event_feeds WHERE merchant_id = $1 FOR UPDATE', [
        shop.merchantId,
      ]);
      const readers = together((n) => readAll(at(shop, n), { limit: 100 }), 5);
      await until('five readers wait', async () => {
        const [row] = await select<{ n: number }>(
          app,
          `SELECT count(*)::integer AS n FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return row!.n === 5;
      });
      await other.query('COMMIT');
      const [first, ...others] = (await readers).map((events) => events.map(({ id }) => id));
      expect(new Set(first).size).toBe(40);
      for (const each of others) expect(each).toEqual(first);
    } finally {
      await other.end();
    }
  });
});
