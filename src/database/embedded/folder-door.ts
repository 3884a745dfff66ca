import { once } from 'node:events';
import { chmod, rm } from 'node:fs/promises';
import { connect, createServer, type Server, Socket } from 'node:net';
import path from 'node:path';
import { type Duplex, pipeline } from 'node:stream';

/** What a Unix socket's path may have at most on Linux, in bytes; macOS takes four fewer. */
const PATH_BYTES_MAX = 103;

/** As PostgreSQL itself names it, so that its own programs find it too. */
export const SOCKET = '.s.PGSQL.5432';

export interface FolderDoor {
  close(): void;
}

/** As short as it can be said. */
function addressOf(folder: string): string | undefined {
  const whole = path.resolve(folder, SOCKET);
  const names = [whole, path.relative('', whole)];
  return names.find((name) => Buffer.byteLength(name) <= PATH_BYTES_MAX);
}

/**
 * Lets other processes of this user ask the embedded database: the command line, beside the service.
 * Nobody else may enter the folder (`privateFolder`), which covers the moment before the socket has its own mode.
 * Undefined where there can be none: the folder's path is too long, or its file system
 * has no sockets.
 * @param database opens a connection to the database
 */
export async function openDoor(
  folder: string,
  database: () => Duplex,
): Promise<FolderDoor | undefined> {
  const address = addressOf(folder);
  if (address === undefined) return undefined;
  // One that died has left it there, and the lock of the folder says that nobody else listens.
  await rm(address, { force: true });
  const guests = new Set<Socket>();
  const server = createServer((guest) => {
    guests.add(guest);
    const connection = database();
    pipeline(guest, connection, guest, () => {
      guests.delete(guest);
      guest.destroy();
      connection.destroy();
    });
  });
  if (!(await listens(server, address))) return undefined;
  const close = (): void => {
    server.close();
    for (const guest of guests) guest.destroy();
  };
  return { close };
}

async function listens(server: Server, address: string): Promise<boolean> {
  try {
    server.listen(address);
    await once(server, 'listening');
    await chmod(address, 0o600);
  } catch {
    server.close();
    return false;
  }
  server.unref();
  return true;
}

/** Whether a process has the folder and answers others. */
export async function isAnswered(folder: string): Promise<boolean> {
  const address = addressOf(folder);
  if (address === undefined) return false;
  const socket = connect(address);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** A connection to the database of another process, for the `pg` driver. */
export const doorTo = (folder: string): Duplex => new DoorSocket(addressOf(folder) ?? '');

/** Goes to one place, wherever the driver thinks that it goes. */
class DoorSocket extends Socket {
  constructor(private readonly place: string) {
    super();
  }

  override connect(): this {
    return super.connect(this.place);
  }
}
