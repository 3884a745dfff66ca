/**
 * PostgreSQL inside this process: PGlite, reached by the ordinary `pg` driver through its `stream`
 * option, so that everything above it works as with a server.
 *
 *     const database = await EmbeddedDatabase.open({ kind: 'folder', path: './data' });
 *     const pool = new pg.Pool({ stream: database.connect, ssl: false });
 *
 * It promises: transactions are isolated from each other; an acknowledged row outlives the death of
 * the process (`kill -9`); a second process is kept out of the folder, and may at most send its queries
 * to the first (`folder-door.ts`).
 *
 * It does not promise:
 * - to survive a power loss. PGlite never syncs to the disk, so such a loss may cost rows or the
 *   whole folder. Whoever moves real money uses a PostgreSQL server.
 * - speed side by side. There is one session: transactions run one after the other, and a query
 *   from outside the open one waits, at last in vain (SQLSTATE 55P03). Each query runs in the event
 *   loop and holds everything else up while it lasts; time-outs of PostgreSQL have no effect.
 * - separate sessions. What belongs to a session belongs to all connections: SET, prepared
 *   statements with a name, temporary tables, LISTEN, advisory locks other than a transaction's
 *   own (which thus exclude nobody). Startup options are ignored. A connection that closes leaves
 *   its session state behind, because DISCARD ALL would take that of the others too; it runs when
 *   the last connection has closed.
 * - COPY FROM STDIN, which is refused, and cancel requests.
 */
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { PGlite } from '@electric-sql/pglite';
import { Logger } from '@nestjs/common';
import { privateFolder, refuseForeignFiles } from '../../common/private-folder.js';
import { PLANNING } from '../planning.js';
import { type FolderDoor, openDoor, SOCKET } from './folder-door.js';
import { LOCK_FILE, lockFolder } from './folder-lock.js';
import { Session } from './session.js';
import { template } from './template.js';
import { WireSocket } from './wire-socket.js';

export type EmbeddedLocation =
  { readonly kind: 'memory' } | { readonly kind: 'folder'; readonly path: string };

export interface EmbeddedDatabaseOptions {
  /** Milliseconds that a query waits for another connection's transaction. Default 10 000. */
  readonly waitMs?: number;
  /** Lets other processes of the same user ask this one. */
  readonly hasDoor?: boolean;
}

/** Where PGlite writes, and the mark of a folder that is not complete yet. */
const DATA = 'pgdata';
const UNFINISHED = 'unfinished';
const WAIT_MS = 10_000;
const logger = new Logger('database');
const OPTIONS = { startParams: [...PGlite.defaultStartParams, ...PLANNING] };

export class EmbeddedDatabase {
  private readonly sockets = new Set<WireSocket>();
  private closing: Promise<void> | undefined;
  private door: FolderDoor | undefined;

  private constructor(
    private readonly session: Session,
    private readonly unlock: () => void,
  ) {}

  /**
   * Opens the database and makes it first where there is none.
   *
   * @throws FolderNotPrivateError when another user of the host owns the folder, or something in it
   * @throws DatabaseFolderInUseError when the folder is open already, here or in another process
   */
  static async open(
    location: EmbeddedLocation,
    { waitMs = WAIT_MS, hasDoor = false }: EmbeddedDatabaseOptions = {},
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
      if (hasDoor) database.door = await openDoor(folder, database.connect);
      return database;
    } catch (error) {
      unlock();
      throw error;
    }
  }

  /** Opens one connection; `pg` takes this function itself as its option `stream`. */
  readonly connect = (): Duplex => {
    const socket = new WireSocket(this.session);
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
    return socket;
  };

  /**
   * Rolls back what is open, writes everything to the folder and frees it. End the pools first:
   * a connection that is still there is cut, and its pool reports that as an error.
   */
  close(): Promise<void> {
    this.closing ??= this.shutDown();
    return this.closing;
  }

  private async shutDown(): Promise<void> {
    this.door?.close();
    for (const socket of this.sockets) socket.destroy();
    try {
      await this.session.close();
    } finally {
      this.unlock();
    }
  }
}

/** PGlite gives its files mode 0666, whatever the umask is: the folder alone keeps other users out. */
async function claimFolder(folder: string): Promise<void> {
  if (await privateFolder(folder, { followLinks: true }))
    logger.warn(
      `other users of this host could enter ${folder} until now: change the passwords, keys and secrets in it`,
    );
  refuseForeignFiles(folder, [DATA, UNFINISHED, LOCK_FILE, SOCKET]);
}

async function openFolder(folder: string): Promise<PGlite> {
  const data = path.join(folder, DATA);
  const unfinished = path.join(folder, UNFINISHED);
  // the mark of a process that died while it copied the template: no one has used that database yet
  if (existsSync(unfinished)) await rm(data, { recursive: true, force: true });
  if (existsSync(data)) return PGlite.create(data, OPTIONS);
  await writeFile(unfinished, '');
  const db = await newDatabase(data);
  await rm(unfinished);
  return db;
}

/** @param folder in memory when there is none */
async function newDatabase(folder?: string): Promise<PGlite> {
  const loadDataDir = await template();
  return PGlite.create({
    ...OPTIONS,
    ...(folder && { dataDir: folder }),
    ...(loadDataDir && { loadDataDir }),
  });
}
