import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { EmbeddedDatabase } from './embedded-database.js';
import { DatabaseFolderInUseError } from './folder-lock.js';
import { query, startup } from './protocol.js';

const WAIT_MS = 300;

const poolOf = (database: EmbeddedDatabase): pg.Pool =>
  new pg.Pool({ stream: database.connect, ssl: false, max: 10 });

const countOf = async (pool: pg.Pool): Promise<number> => {
  const { rows } = await pool.query<{ count: number }>('SELECT count(*)::int AS count FROM item');
  return rows[0]!.count;
};

describe('EmbeddedDatabase in memory', () => {
  let database: EmbeddedDatabase;
  let pool: pg.Pool;

  beforeAll(async () => {
    database = await EmbeddedDatabase.open({ kind: 'memory' }, { waitMs: WAIT_MS });
    pool = poolOf(database);
    await pool.query('CREATE TABLE item (name text NOT NULL)');
  }, 60_000);

  beforeEach(async () => {
    await pool.query('TRUNCATE item');
  });

  afterAll(async () => {
    await pool.end();
    await database.close();
  });

  describe('transactions', () => {
    it('never interleave: 30 at once, of which 10 roll back, leave 20 rows', async () => {
      const insert = async (number: number): Promise<void> => {
        const client = await pool.connect();
        await client.query('BEGIN');
        await client.query('INSERT INTO item VALUES ($1)', [`item ${number}`]);
        await sleep(1);
        const own = await client.query('SELECT 1 FROM item WHERE name = $1', [`item ${number}`]);
        expect(own.rowCount).toBe(1);
        await client.query(number % 3 === 0 ? 'ROLLBACK' : 'COMMIT');
        client.release();
      };
      await Promise.all(Array.from({ length: 30 }, (_, number) => insert(number)));
      expect(await countOf(pool)).toBe(20);
    });

    it('keep the session after an error until they are rolled back', async () => {
      const client = await pool.connect();
      await client.query('BEGIN');
      await client.query("INSERT INTO item VALUES ('mine')");
      await expect(client.query('SELECT 1 / 0')).rejects.toMatchObject({ code: '22012' });
      const other = countOf(pool);
      await expect(client.query('SELECT 1')).rejects.toMatchObject({ code: '25P02' });
      await client.query('ROLLBACK');
      client.release();
      expect(await other).toBe(0);
    });

    it('are served in the order in which they asked', async () => {
      const clients = await Promise.all(Array.from({ length: 6 }, () => pool.connect()));
      const served: number[] = [];
      const [first, ...others] = clients;
      await first!.query('BEGIN');
      const waiting = others.map((client, index) =>
        client.query('SELECT 1').then(() => served.push(index)),
      );
      await first!.query('COMMIT');
      await Promise.all(waiting);
      expect(served).toEqual([0, 1, 2, 3, 4]);
      for (const client of clients) client.release();
    });

    it('are rolled back when their connection goes away', async () => {
      const client = await pool.connect();
      await client.query('BEGIN');
      await client.query("INSERT INTO item VALUES ('lost')");
      const waiting = countOf(pool);
      client.release(true);
      expect(await waiting).toBe(0);
    });

    it('are rolled back when they end in an error that was not handled', async () => {
      const socket = database.connect();
      const { answers } = await openRaw(socket);
      socket.write(query("BEGIN; INSERT INTO item VALUES ('lost')"));
      socket.write(extended('SELECT 1 / 0', 'H'));
      await until(() => answers().includes('22012'));
      socket.destroy();
      expect(await countOf(pool)).toBe(0);
    });

    it('are rolled back, not committed, when no Sync followed', async () => {
      const socket = database.connect();
      const { answers } = await openRaw(socket);
      socket.write(extended("INSERT INTO item VALUES ('lost')", 'H'));
      await until(() => answers().includes('INSERT 0 1'));
      socket.destroy();
      expect(await countOf(pool)).toBe(0);
    });
  });

  describe('a query beside an open transaction', () => {
    it('fails with 55P03 in the end, and neither side is harmed', async () => {
      const [outer, beside] = await Promise.all([pool.connect(), pool.connect()]);
      await outer.query('BEGIN');
      await outer.query("INSERT INTO item VALUES ('kept')");
      const started = performance.now();
      await expect(beside.query('SELECT 1')).rejects.toMatchObject({
        code: '55P03',
        message: expect.stringContaining(`busy with another transaction for ${WAIT_MS} ms`),
      });
      expect(performance.now() - started).toBeGreaterThan(WAIT_MS * 0.9);
      await expect(beside.query('SELECT $1::int', [1])).rejects.toMatchObject({ code: '55P03' });
      await outer.query('COMMIT');
      expect((await beside.query('SELECT name FROM item')).rows).toEqual([{ name: 'kept' }]);
      for (const client of [outer, beside]) client.release();
    });

    it('gives up its place when its connection goes away', async () => {
      const outer = await pool.connect();
      const leaving = await pool.connect();
      await outer.query('BEGIN');
      const lost = expect(leaving.query('SELECT 1')).rejects.toThrow('terminated');
      await sleep(5);
      leaving.release(true);
      await lost;
      await outer.query('COMMIT');
      outer.release();
      expect(await countOf(pool)).toBe(0);
    });
  });

  describe('the protocol', () => {
    it('carries results and parameters of 10 MB', async () => {
      const length = 10_000_000;
      const { rows } = await pool.query<{ text: string }>('SELECT repeat($1, $2) AS text', [
        'é',
        length / 2,
      ]);
      expect(Buffer.byteLength(rows[0]!.text)).toBe(length);
      const sent = await pool.query('SELECT octet_length($1::text) AS bytes', [
        'é'.repeat(length / 2),
      ]);
      expect(sent.rows).toEqual([{ bytes: length }]);
    });

    it('puts messages together that arrive byte by byte', async () => {
      const socket = database.connect();
      const { answers } = await openRaw(socket);
      for (const byte of extended("SELECT 'whole'", 'S')) socket.write(Buffer.from([byte]));
      await until(() => answers().includes('whole'));
      socket.destroy();
    });

    it('answers pipelined queries in order, after an error too', async () => {
      const client = new pg.Client({
        stream: database.connect,
        ssl: false,
        pipeline: true,
      });
      await client.connect();
      const results = await Promise.allSettled([
        client.query('SELECT $1::int AS n', [1]),
        client.query('SELECT 1 / $1::int', [0]),
        client.query('SELECT $1::int AS n', [3]),
      ]);
      await client.end();
      expect(results).toMatchObject([
        { status: 'fulfilled', value: { rows: [{ n: 1 }] } },
        { status: 'rejected', reason: { code: '22012' } },
        { status: 'fulfilled', value: { rows: [{ n: 3 }] } },
      ]);
    });

    it('refuses COPY FROM STDIN instead of waiting for rows for ever', async () => {
      const refused = { code: '57014', message: expect.stringContaining('takes no rows') };
      await expect(pool.query('/* in */ COPY item FROM STDIN')).rejects.toMatchObject(refused);
      await expect(
        pool.query("INSERT INTO item VALUES ('a'); COPY item FROM STDIN"),
      ).rejects.toMatchObject(refused);
      const extendedCopy = { text: 'COPY item FROM STDIN', queryMode: 'extended' };
      await expect(pool.query(extendedCopy)).rejects.toMatchObject(refused);
      expect(await countOf(pool)).toBe(0);
    });

    it('refuses encryption to a client that asks for it', async () => {
      const client = new pg.Client({ stream: database.connect, ssl: true });
      client.on('error', () => {});
      await expect(client.connect()).rejects.toThrow('does not support SSL');
    });

    it('leaves a loop of queries room for timers', async () => {
      let ticks = 0;
      const timer = setInterval(() => ticks++, 1);
      for (let count = 0; count < 200; count++) await pool.query('SELECT 1');
      clearInterval(timer);
      expect(ticks).toBeGreaterThan(2);
    });
  });

  describe('the one session', () => {
    it('notifies every connection, regardless of which one listens', async () => {
      const clients = await Promise.all([1, 2, 3].map(() => pool.connect()));
      const received = clients.map((client) => once(client, 'notification'));
      await clients[0]!.query('LISTEN changes');
      await clients[1]!.query("NOTIFY changes, 'paid'");
      for (const [notification] of await Promise.all(received)) {
        expect(notification).toMatchObject({ channel: 'changes', payload: 'paid' });
      }
      await clients[0]!.query('UNLISTEN *');
      for (const client of clients) client.release();
    });

    it('is as new once the last connection has closed', async () => {
      await pool.end();
      pool = poolOf(database);
      await pool.query("SET lock_timeout = '7s'; CREATE TEMP TABLE scratch (n int)");
      await pool.end();
      pool = poolOf(database);
      expect((await pool.query('SHOW lock_timeout')).rows).toEqual([{ lock_timeout: '0' }]);
      expect((await pool.query("SELECT to_regclass('scratch') AS found")).rows).toEqual([
        { found: null },
      ]);
    });
  });

  describe('a statement that is asked again', () => {
    const kept = async (): Promise<string[]> => {
      const { rows } = await pool.query<{ statement: string }>(
        "/* kept */ SELECT statement FROM pg_prepared_statements WHERE statement NOT LIKE '%kept%'",
      );
      return rows.map(({ statement }) => statement);
    };
    const asked = async (times: number, text: string, values: unknown[]): Promise<unknown[]> => {
      const results: unknown[] = [];
      for (let count = 0; count < times; count++)
        results.push((await pool.query<object>(text, values)).rows[0]);
      return results;
    };

    it('is kept for all connections', async () => {
      const text = 'SELECT $1::text || name AS n FROM (VALUES ($2)) v (name)';
      const ask = async (number: number): Promise<void> => {
        const client = new pg.Client({ stream: database.connect, ssl: false });
        await client.connect();
        const { rows } = await client.query(text, [number, 'th']);
        expect(rows).toEqual([{ n: `${number}th` }]);
        await client.end();
      };
      for (let number = 0; number < 10; number++) await ask(number);
      expect((await kept()).filter((each) => each === text)).toEqual([text]);
    });

    it('fails as often as it has to, in a failed transaction too', async () => {
      const client = await pool.connect();
      const divided = (by: number) => client.query('SELECT 6 / $1::int AS n', [by]);
      for (let count = 0; count < 5; count++) {
        await expect(divided(0)).rejects.toMatchObject({ code: '22012' });
        expect((await divided(2)).rows).toEqual([{ n: 3 }]);
        await client.query('BEGIN');
        await expect(divided(0)).rejects.toMatchObject({ code: '22012' });
        await expect(divided(2)).rejects.toMatchObject({ code: '25P02' });
        await client.query('ROLLBACK');
      }
      const wrong = () => client.query('SELECT missing FROM item WHERE name = $1', ['a']);
      for (let count = 0; count < 5; count++)
        await expect(wrong()).rejects.toMatchObject({ code: '42703' });
      client.release();
    });

    it('sees tables as they are now', async () => {
      await pool.query('CREATE TABLE changing (n int); INSERT INTO changing VALUES (1)');
      const ask = () => asked(4, 'SELECT * FROM changing WHERE $1', [true]);
      expect(await ask()).toEqual(Array(4).fill({ n: 1 }));
      for (const queryMode of ['simple', 'extended'] as const) {
        const text = `ALTER TABLE changing ADD COLUMN ${queryMode} int DEFAULT 2`;
        await pool.query({ text, queryMode } as pg.QueryConfig);
        expect((await ask())[0]).toMatchObject({ n: 1, [queryMode]: 2 });
      }
      await pool.query('DROP TABLE changing');
    });

    it('is answered in order when others wait in the same pipeline behind an error', async () => {
      await asked(4, 'SELECT $1::int AS n', [1]);
      const socket = database.connect();
      const { answers } = await openRaw(socket);
      socket.write(Buffer.concat([extended('SELECT 1 / 0', 'H'), extended('SELECT 2', 'S')]));
      socket.write(extended("SELECT 'whole'", 'S'));
      await until(() => answers().includes('whole'));
      socket.destroy();
      expect(await asked(1, 'SELECT $1::int AS n', [2])).toEqual([{ n: 2 }]);
    });

    it('makes room after so many others', async () => {
      for (let number = 0; number < 500; number++)
        await asked(3, `SELECT $1::int AS n${number}`, [1]);
      const names = await kept();
      expect(names.length).toBeGreaterThan(300);
      expect(names.length).toBeLessThanOrEqual(400);
      expect(names).not.toContain('SELECT $1::int AS n0');
      expect(await asked(4, 'SELECT $1::int AS n0', [7])).toEqual(Array(4).fill({ n0: 7 }));
    });

    it('is prepared again after all were discarded', async () => {
      const ask = () => asked(4, 'SELECT $1::int AS again', [1]);
      await ask();
      await pool.query('DEALLOCATE ALL');
      expect(await ask()).toEqual(Array(4).fill({ again: 1 }));
    });

    it('is forgotten with the last connection', async () => {
      await asked(4, 'SELECT $1::int AS gone', [1]);
      await pool.end();
      pool = poolOf(database);
      expect(await kept()).toEqual([]);
      expect(await asked(4, 'SELECT $1::int AS gone', [3])).toEqual(Array(4).fill({ gone: 3 }));
    });
  });

  it('refuses connections once it is closed', async () => {
    const other = await EmbeddedDatabase.open({ kind: 'memory' });
    const client = new pg.Client({ stream: other.connect, ssl: false });
    await client.connect();
    const cut = once(client, 'error');
    await Promise.all([other.close(), other.close()]);
    expect(String(await cut)).toContain('terminated');
    const late = new pg.Client({ stream: other.connect, ssl: false });
    late.on('error', () => {});
    await expect(late.connect()).rejects.toThrow('closed');
  }, 30_000);
});

describe('EmbeddedDatabase in a folder', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'embedded-database-'));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const open = (): Promise<EmbeddedDatabase> =>
    EmbeddedDatabase.open({ kind: 'folder', path: folder });

  it('keeps its rows from one opening to the next', async () => {
    const database = await open();
    const pool = poolOf(database);
    await pool.query("CREATE TABLE item AS SELECT 'kept' AS name");
    await pool.end();
    await database.close();

    const reopened = await open();
    const newPool = poolOf(reopened);
    expect(await countOf(newPool)).toBe(1);
    await newPool.end();
    await reopened.close();
  }, 60_000);

  it('starts over when a process died while it made the database', async () => {
    const database = await open();
    await database.close();
    rmSync(path.join(folder, 'pgdata', 'global'), { recursive: true });
    writeFileSync(path.join(folder, 'unfinished'), '');

    const repaired = await open();
    const pool = poolOf(repaired);
    expect((await pool.query('SELECT 1 AS n')).rows).toEqual([{ n: 1 }]);
    expect(existsSync(path.join(folder, 'unfinished'))).toBe(false);
    await pool.end();
    await repaired.close();
  }, 60_000);

  it('keeps a second process out, and every acknowledged row when the first is killed', async () => {
    const writer = startWriter(folder);
    const lines = linesOf(writer);
    try {
      await until(() => lines.length >= 50 || writer.exitCode !== null, 30_000);
      await expect(open()).rejects.toThrow(DatabaseFolderInUseError);
    } finally {
      writer.kill('SIGKILL');
      await once(writer, 'close');
    }
    const last = Number(lines.at(-1));

    const database = await open();
    const pool = poolOf(database);
    expect(await countOf(pool)).toBeGreaterThanOrEqual(last);
    await pool.end();
    await database.close();
  }, 60_000);
});

/** A second process: inserts row after row, prints the number of each acknowledged one. */
function startWriter(folder: string): ChildProcess {
  const script = `
    import pg from 'pg';
    import { EmbeddedDatabase } from './embedded-database.js';
    const database = await EmbeddedDatabase.open({ kind: 'folder', path: process.argv[1] });
    const pool = new pg.Pool({ stream: database.connect, ssl: false });
    await pool.query('CREATE TABLE item (n int)');
    for (let n = 1; ; n++) {
      await pool.query('INSERT INTO item VALUES ($1)', [n]);
      console.log(n);
    }`;
  return spawn(
    process.execPath,
    ['--no-warnings', '--input-type=module', '--eval', script, folder],
    {
      cwd: path.dirname(fileURLToPath(import.meta.url)),
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
}

/** The lines that the process has printed so far. */
function linesOf(child: ChildProcess): string[] {
  const lines: string[] = [];
  createInterface({ input: child.stdout! }).on('line', (line) => lines.push(line));
  return lines;
}

/** A connection without a driver: what it has been sent, as text. */
async function openRaw(socket: Duplex): Promise<{ answers: () => string }> {
  let received = '';
  socket.on('data', (bytes: Buffer) => (received += bytes.toString('latin1')));
  socket.write(startup());
  await until(() => received.length > 0);
  return { answers: () => received };
}

/** Parse, Bind and Execute of one statement, then Sync or Flush. */
function extended(sql: string, end: 'S' | 'H'): Buffer {
  const bodies = [
    ['P', `\0${sql}\0\0\0`],
    ['B', '\0'.repeat(8)],
    ['E', '\0'.repeat(5)],
    [end, ''],
  ];
  return Buffer.concat(
    bodies.map(([type, body]) => {
      const bytes = Buffer.from(`${type}\0\0\0\0${body}`);
      bytes.writeInt32BE(bytes.length - 1, 1);
      return bytes;
    }),
  );
}

async function until(condition: () => boolean, limitMs = 2_000): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error('waited in vain');
    await sleep(2);
  }
}
