import type { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { getRepositoryToken } from '@nestjs/typeorm';
import { DatabaseClient } from '../src/database/connection/client.js';
import { forRequest, RequestContext } from '../src/overload/request-context.js';
import { Database, TRANSACTION_ATTEMPTS_MAX } from '../src/database/database.js';
import { workOf } from '../src/database/statement-work.js';
import type { LimitedRepository } from '../src/database/limited-repository.js';
import { User } from '../src/database/people/user.entity.js';
import { onPostgres } from './support/database.js';
import { count } from './support/facts.js';
import { until } from './support/race.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop();
const database = app.get(Database);

describe('what waits for a commit', () => {
  /** Ends a transaction as PostgreSQL ends one of two that cannot both be. */
  const serializationFailure = () => Object.assign(new Error('again'), { code: '40001' });

  it('happens once, however often the transaction ran', async () => {
    const said: string[] = [];
    let attempt = 0;
    await database.transaction(async (tx) => {
      attempt++;
      database.afterCommit(tx, () => void said.push(`first of try ${attempt}`));
      database.afterCommit(tx, () => void said.push('second'));
      await tx.query('SELECT 1');
      if (attempt < TRANSACTION_ATTEMPTS_MAX) throw serializationFailure();
    });
    expect(said).toEqual([`first of try ${TRANSACTION_ATTEMPTS_MAX}`, 'second']);
  });

  it('does not happen when the transaction fails', async () => {
    const said: string[] = [];
    const failing = database.transaction(async (tx) => {
      database.afterCommit(tx, () => void said.push('too early'));
      await tx.query('SELECT 1 / 0');
    });
    await expect(failing).rejects.toThrow('division by zero');
    expect(said).toEqual([]);
  });
});

const sessions = onPostgres(
  describe,
  'the embedded database is one session without limits of time',
);

sessions('a session on the server', () => {
  const here = 'datname = current_database()';
  const pids = async (): Promise<number[]> => {
    const name = 'orders';
    const rows = await database.query<{ pid: number }>(
      {
        name: 'test_pids',
        text: `SELECT pid FROM pg_stat_activity WHERE ${here} AND application_name = $1`,
      },
      [name],
    );
    return rows.map(({ pid }) => pid).sort();
  };

  it('goes on after what a merchant did wrong or again', async () => {
    const order = await shop.order();
    const { orderMerchantId, amount, currency } = order;
    const again = { orderMerchantId, amount, currency };
    const before = await pids();
    const keyed = { 'idempotency-key': `sessions-${orderMerchantId}` };
    for (let n = 0; n < 5; n++) {
      await shop.create({ ...again, amount: amount + 1 });
      await shop.create({ ...again, amount: amount + 1 }, keyed);
      await shop.create({ ...again, orderMerchantId: `${orderMerchantId}-${n}` }, keyed);
      const failing = { name: `test_fails_${n}`, text: 'SELECT 1 / $1::integer' };
      await expect(database.query(failing, [0])).rejects.toThrow('division by zero');
    }
    expect(await pids()).toEqual(before);
  });

  describe('a prepared statement', () => {
    const connect = async (limit = 4_000): Promise<DatabaseClient> => {
      const client = new DatabaseClient({
        connectionString: app.database.url,
        query_timeout: limit,
      });
      await client.connect();
      return client;
    };
    const divide = {
      name: 'test_divide',
      text: 'SELECT 6 / $1::integer AS "result", $2::text AS "label"',
    };

    it('is described once on a connection, and gives the same rows', async () => {
      const client = await connect();
      const described: string[] = [];
      const { connection } = client as unknown as { connection: EventEmitter };
      connection.on('rowDescription', () => void described.push('rows'));
      for (const by of [1, 2, 3]) {
        const { rows, rowCount } = await client.prepared(divide, [by, 'näme']);
        expect({ rows, rowCount }).toEqual({
          rows: [{ result: 6 / by, label: 'näme' }],
          rowCount: 1,
        });
      }
      expect(described).toEqual(['rows']);
      const none = {
        name: 'test_none',
        text: 'UPDATE users SET name = name WHERE false AND id <> $1',
      };
      const nobody = '00000000-0000-0000-0000-000000000000';
      for (let n = 0; n < 3; n++) expect((await client.prepared(none, [nobody])).rowCount).toBe(0);
      await client.end();
    });

    it('needs a name: others of one connection may differ', async () => {
      const runs = ['one', 'two'].flatMap((name) =>
        Array.from({ length: 3 }, async () => {
          const [row] = await database.query(
            { name: '', text: `SELECT $1::integer AS ${name}` },
            [5],
          );
          expect(row).toEqual({ [name]: 5 });
        }),
      );
      await Promise.all(runs);
    });

    it('goes on after errors of the server and of a value', async () => {
      const client = await connect();
      for (let n = 0; n < 3; n++) {
        await expect(client.prepared(divide, [0, null])).rejects.toMatchObject({ code: '22012' });
        await expect(client.prepared(divide, ['x', null])).rejects.toMatchObject({ code: '22P02' });
        const { rows } = await client.prepared(divide, [2, null]);
        expect(rows).toEqual([{ result: 3, label: null }]);
      }
      expect(client.isSpoiled).toBe(false);
      await client.end();
    });

    it('is not sent when the request is out of time, and ends when nothing answers', async () => {
      const client = await connect(200);
      const late = forRequest(() => client.prepared(divide, [1, null]), new RequestContext(0));
      await expect(late).rejects.toMatchObject({ code: '57014' });
      const nap = { name: 'test_long_nap', text: 'SELECT pg_sleep($1)' };
      await client.prepared(nap, [0]);
      await expect(client.prepared(nap, [60])).rejects.toThrow('timeout');
      expect(client.isSpoiled).toBe(true);
      await client.end();
    });

    it.each([
      [
        'a cancel',
        async (by: string) =>
          database.query({ name: 'test_cancel', text: `SELECT pg_cancel_backend($1)` }, [by]),
      ],
      [
        'the end of its session',
        async (by: string) =>
          database.query({ name: 'test_end', text: `SELECT pg_terminate_backend($1)` }, [by]),
      ],
    ])('fails with %s', async (_what, end) => {
      const client = await connect();
      const nap = { name: 'test_long_nap', text: 'SELECT pg_sleep($1), pg_backend_pid() AS pid' };
      const [{ pid }] = (await client.prepared<{ pid: string }>(nap, [0])).rows as [
        { pid: string },
      ];
      const napping = client.prepared(nap, [60]);
      const failed = expect(napping).rejects.toMatchObject({ code: expect.stringMatching(/^57/) });
      await until(
        'it sleeps',
        async () =>
          (await count(app, 'pg_stat_activity', `pid = ${pid} AND state = 'active'`)) === 1,
      );
      await end(pid);
      await failed;
      await client.end();
    });

    it('is prepared again when its result type changes, or when the server has dropped it', async () => {
      const client = await connect();
      const all = { name: 'test_all', text: 'SELECT * FROM test_changing WHERE one = $1' };
      const readByMany = async () =>
        (await Promise.all(Array.from({ length: 8 }, () => database.query(all, [1])))).flat();
      await client.query('CREATE TABLE test_changing AS SELECT 1 AS one');
      expect(await readByMany()).toEqual(Array(8).fill({ one: 1 }));
      await client.query(`ALTER TABLE test_changing ADD COLUMN two text DEFAULT 'second'`);
      expect(await readByMany()).toEqual(Array(8).fill({ one: 1, two: 'second' }));
      await Promise.all(
        Array.from({ length: 8 }, () => database.entities((all) => all.query('DEALLOCATE ALL'))),
      );
      expect(await readByMany()).toEqual(Array(8).fill({ one: 1, two: 'second' }));
      await client.query('DROP TABLE test_changing');
      await client.end();
    });
  });

  it('does not go on with what nobody waits for any more', async () => {
    const client = new DatabaseClient({
      connectionString: app.database.url,
      query_timeout: 100,
    });
    await client.connect();
    await expect(client.query('SELECT pg_sleep(60)')).rejects.toThrow('timeout');
    expect(client.isSpoiled).toBe(true);
    await client.end();
    await until(
      'the server has stopped it',
      async () =>
        (await count(app, 'pg_stat_activity', `${here} AND query ~ '^SELECT pg_sleep'`)) === 0,
    );
  });

  it('has no longer for all statements of a request than the request has', async () => {
    const nap = { name: 'test_nap', text: 'SELECT pg_sleep(0.2)' };
    const began = performance.now();
    const late = forRequest(async () => {
      for (;;) await database.query(nap, []);
    }, new RequestContext(500));
    await expect(late).rejects.toMatchObject({ name: 'DatabaseUnavailableError' });
    const inTransaction = forRequest(
      () =>
        database.transaction(async (tx) => {
          for (;;) await tx.query(nap.text);
        }),
      new RequestContext(500),
    );
    await expect(inTransaction).rejects.toMatchObject({ name: 'DatabaseUnavailableError' });
    expect(performance.now() - began).toBeLessThan(4_000);
    await expect(database.query(nap, [])).resolves.toHaveLength(1);
  });

  it('is given to repositories of tables as to statements', async () => {
    const users = app.nest.get<LimitedRepository<User>>(getRepositoryToken(User), {
      strict: false,
    });
    const nobody = { id: '00000000-0000-0000-0000-000000000000' };
    const change = () => users.update(nobody, { name: 'Nobody' });
    await expect(change()).resolves.toMatchObject({ affected: 0 });
    const inTime = <T>(work: () => Promise<T>) => forRequest(work, new RequestContext(300));
    const writes = Array.from({ length: 10 }, () =>
      database.transaction((tx) => tx.query('SELECT pg_sleep(1)')),
    );
    await expect(inTime(change)).rejects.toMatchObject({ name: 'OverloadedError' });
    await expect(inTime(() => users.countBy(nobody))).resolves.toBe(0);
    await Promise.all(writes);
    const late = forRequest(() => users.countBy(nobody), new RequestContext(0));
    await expect(late).rejects.toMatchObject({ name: 'DatabaseUnavailableError' });
    expect(users).not.toHaveProperty('createQueryBuilder');
  });

  it('is there for other merchants and for the balancer while one has a crowd', async () => {
    const other = await app.merchant();
    const { txid } = await other.order();
    const slow = { name: 'test_slow', text: 'SELECT pg_sleep(2)' };
    const crowd = Array.from({ length: 150 }, () =>
      forRequest(() => database.query(slow, []), new RequestContext(10_000, shop.merchantId)),
    );
    const ended = Promise.allSettled(crowd);
    const statuses: number[] = [];
    for (let n = 0; n < 10; n++) {
      statuses.push((await other.read(txid)).status);
      statuses.push((await fetch(`${app.url}/health/ready`)).status);
    }
    expect(new Set(statuses)).toEqual(new Set([200]));
    const refused = (await ended).filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeGreaterThan(80);
  }, 20_000);
});

describe('a statement', () => {
  it.each([
    ['SELECT updated_at FROM orders', 'read'],
    ['WITH o AS (SELECT 1) SELECT * FROM o', 'read'],
    ['SELECT 1 FROM orders FOR UPDATE', 'write'],
    ['WITH o AS (DELETE FROM events RETURNING 1) SELECT * FROM o', 'write'],
    ['INSERT INTO events VALUES (1)', 'write'],
  ])('such as %s is a %s', (text, work) => {
    expect(workOf({ name: 'any', text })).toBe(work);
  });
});
