import { once } from 'node:events';
import { chmod, rm } from 'node:fs/promises';
import { connect, createServer, type Server, Socket } from 'node:net';
import path from 'node:path';
import { type Duplex, pipeline } from 'node:stream';

/** Maximum length of a Unix socket path on Linux, in bytes; four fewer on macOS. */
const PATH_BYTES_MAX = 103;

/** PostgreSQL's socket name, so that its own tools find it, too. */
export const SOCKET = '.s.PGSQL.5432';

export interface DatabaseSocket {
  close(): void;
}

/** The shortest path of the socket: absolute or relative. */
function addressOf(folder: string): string | undefined {
  const whole = path.resolve(folder, SOCKET);
  const names = [whole, path.relative('', whole)];
  return names.find((name) => Buffer.byteLength(name) <= PATH_BYTES_MAX);
}

/**
 * Lets other processes of this user connect to the embedded database, such as the command line beside the service. The
 * folder is private (`privateFolder`), which also covers the time before the socket has its own mode. Undefined when a
 * socket is impossible: the folder's path is too long, or its file system has no sockets.
 * @param database opens a connection to the database
 */
export async function openDatabaseSocket(
  folder: string,
  database: () => Duplex,
): Promise<DatabaseSocket | undefined> {
  const address = addressOf(folder);
  if (address === undefined) return undefined;
  // A process that died leaves its socket behind; the folder lock ensures that no other process listens on it.
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

/** Whether a process has the folder open and accepts connections. */
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
export const connectToSocket = (folder: string): Duplex =>
  new FixedPathSocket(addressOf(folder) ?? '');

/** Connects to a fixed path, ignoring the driver's address. */
class FixedPathSocket extends Socket {
  constructor(private readonly place: string) {
    super();
  }

  override connect(): this {
    return super.connect(this.place);
  }
}
