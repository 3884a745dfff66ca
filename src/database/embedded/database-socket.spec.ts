import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { EmbeddedDatabase } from './embedded-database.js';
import { connectToSocket, isAnswered } from './database-socket.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'database-socket-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const poolOf = (database: EmbeddedDatabase): pg.Pool =>
  new pg.Pool({ stream: database.connect, ssl: false });

const countOf = async (pool: pg.Pool): Promise<number> => {
  const { rows } = await pool.query<{ count: number }>('SELECT count(*)::int AS count FROM item');
  return rows[0]!.count;
};

describe('the socket of a folder', () => {
  const openWithDoor = (place = folder): Promise<EmbeddedDatabase> =>
    EmbeddedDatabase.open({ kind: 'folder', path: place }, { hasSocket: true, waitMs: 2_000 });
  const guestPool = () => new pg.Pool({ stream: () => connectToSocket(folder), ssl: false });

  it('lets another process ask, for this user alone, and takes back what it left open', async () => {
    const dead = path.join(folder, '.s.PGSQL.5432');
    writeFileSync(dead, 'what a process that was killed left there');
    expect(await isAnswered(folder)).toBe(false);
    const host = await openWithDoor();
    expect(statSync(dead).mode & 0o777).toBe(0o600);
    expect(await isAnswered(folder)).toBe(true);
    const own = poolOf(host);
    await own.query('CREATE TABLE item (n int)');
    const guests = guestPool();
    await guests.query('INSERT INTO item VALUES ($1)', [1]);
    const guest = new pg.Client({ stream: () => connectToSocket(folder), ssl: false });
    guest.on('error', () => undefined);
    await guest.connect();
    await guest.query('BEGIN');
    await guest.query('INSERT INTO item VALUES (2)');
    (guest as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
    expect(await countOf(own)).toBe(1);
    await guests.end();
    await own.end();
    await host.close();
    expect(await isAnswered(folder)).toBe(false);
    expect(existsSync(dead)).toBe(false);
  }, 60_000);

  it('is cut with the database, and is missing where its path would be too long', async () => {
    const host = await openWithDoor();
    const guest = new pg.Client({ stream: () => connectToSocket(folder), ssl: false });
    const lost = once(guest, 'error');
    await guest.connect();
    await host.close();
    expect(((await lost) as [Error])[0].message).toMatch(/terminated/);
    const far = path.join(folder, 'x'.repeat(100));
    const unseen = await openWithDoor(far);
    expect(await isAnswered(far)).toBe(false);
    await unseen.close();
  }, 60_000);
});
