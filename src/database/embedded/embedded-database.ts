/**
 * PostgreSQL inside this process: PGlite, used by the ordinary `pg` driver through its `stream` option, so that all
 * code above works as with a server.
 *
 *     const database = await EmbeddedDatabase.open({ kind: 'folder', path: './data' });
 *     const pool = new pg.Pool({ stream: database.connect, ssl: false });
 *
 * Guarantees: transactions are isolated from each other; a confirmed row survives the death of the process (`kill -9`);
 * a second process cannot open the folder, and can only send its queries to the first one (`database-socket.ts`).
 *
 * Not guaranteed:
 * - surviving a power failure. PGlite never syncs to disk, so a power failure may lose rows or the whole folder. Use a
 *   PostgreSQL server for real money.
 * - concurrency. There is one session: transactions are serialized, and a query outside the open one waits until it
 *   fails with SQLSTATE 55P03. Each query runs in the event loop and blocks everything else; PostgreSQL's timeouts have
 *   no effect.
 * - separate sessions. All connections share the session state: SET, named prepared statements, temporary tables,
 *   LISTEN, and session-level advisory locks, which therefore exclude no other connection. Startup options are ignored.
 *   A closed connection leaves its session state behind, because DISCARD ALL would affect the others, too; it runs when
 *   the last connection is closed.
 * - COPY FROM STDIN, which is rejected, and cancel requests.
 */
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { PGlite } from '@electric-sql/pglite';
import { Logger } from '@nestjs/common';
import { privateFolder, refuseForeignFiles } from '../../common/private-folder.js';
import { PLANNING } from '../planning.js';
import { type DatabaseSocket, openDatabaseSocket, SOCKET } from './database-socket.js';
import { LOCK_FILE, lockFolder } from './folder-lock.js';
import { Session } from './session.js';
import { template } from './template.js';
import { WireSocket } from './wire-socket.js';

export type EmbeddedLocation =
  { readonly kind: 'memory' } | { readonly kind: 'folder'; readonly path: string };

export interface EmbeddedDatabaseOptions {
  /** Maximum wait for another connection's transaction, in milliseconds. Default 10 000. */
  readonly waitMs?: number;
  /** Lets other processes of the same user connect. */
  readonly hasSocket?: boolean;
}

/** PGlite's data folder, and the marker of an incomplete folder. */
const DATA = 'pgdata';
const UNFINISHED = 'unfinished';
const WAIT_MS = 10_000;
const logger = new Logger('database');
/** PostgreSQL fills its buffers with zeros when it starts: the default of 128 MB takes 0.4 s of CPU. */
const BUFFERS = ['-c', 'shared_buffers=16MB'];
/** PGlite copies the whole WAL segment when it creates a database; 4 MB instead of 16 MB. */
const INITDB = ['--wal-segsize=4'];
const OPTIONS = {
  startParams: [...PGlite.defaultStartParams, ...PLANNING, ...BUFFERS],
  initDbStartParams: INITDB,
};

export class EmbeddedDatabase {
  private readonly sockets = new Set<WireSocket>();
  private closing: Promise<void> | undefined;
  private socket: DatabaseSocket | undefined;

  private constructor(
    private readonly session: Session,
    private readonly unlock: () => void,
  ) {}

  /**
   * Opens the database; creates it if there is none.
   * @throws FolderNotPrivateError when another user of the host owns the folder, or something in it
   * @throws DatabaseFolderInUseError when the folder is open already, here or in another process
   */
  static async open(
    location: EmbeddedLocation,
    { waitMs = WAIT_MS, hasSocket = false }: EmbeddedDatabaseOptions = {},
  ): Promise<EmbeddedDatabase> {
    if (location.kind === 'memory') {
      const db = await newDatabase();
      return new EmbeddedDatabase(await Session.start(db, waitMs), () => {});
    }
    const folder = path.resolve(location.path);
    await claimFolder(folder);
    const unlock = lockFolder(folder);
    try {
      const session = await Session.start(await openFolder(folder), waitMs);
      const database = new EmbeddedDatabase(session, unlock);
      if (hasSocket) database.socket = await openDatabaseSocket(folder, database.connect);
      return database;
    } catch (error) {
      unlock();
      throw error;
    }
  }

  /** Opens a connection; pass this function to `pg` as the option `stream`. */
  readonly connect = (): Duplex => {
    const socket = new WireSocket(this.session);
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
    return socket;
  };

  /**
   * Rolls back open transactions, writes everything to the folder and releases it. End the pools first: an open
   * connection is closed, which its pool reports as an error.
   */
  close(): Promise<void> {
    this.closing ??= this.shutDown();
    return this.closing;
  }

  private async shutDown(): Promise<void> {
    this.socket?.close();
    for (const socket of this.sockets) socket.destroy();
    try {
      await this.session.close();
    } finally {
      this.unlock();
    }
  }
}

/** PGlite creates files with mode 0666 regardless of the umask: only the folder keeps other users out. */
async function claimFolder(folder: string): Promise<void> {
  if (await privateFolder(folder, { followLinks: true }))
    logger.warn(
      `other users of this host had access to ${folder} until now: change the passwords, keys and secrets in it`,
    );
  refuseForeignFiles(folder, [DATA, UNFINISHED, LOCK_FILE, SOCKET]);
}

async function openFolder(folder: string): Promise<PGlite> {
  const data = path.join(folder, DATA);
  const unfinished = path.join(folder, UNFINISHED);
  // Marker of a process that died while copying the template: the database has not been used yet.
  if (existsSync(unfinished)) await rm(data, { recursive: true, force: true });
  if (existsSync(data)) return PGlite.create(data, OPTIONS);
  await writeFile(unfinished, '');
  const db = await newDatabase(data);
  await rm(unfinished);
  return db;
}

/** @param folder undefined = in memory */
async function newDatabase(folder?: string): Promise<PGlite> {
  const loadDataDir = await template();
  return PGlite.create({
    ...OPTIONS,
    ...(folder && { dataDir: folder }),
    ...(loadDataDir && { loadDataDir }),
  });
}
