import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * How the line to the database behaves.
 * - `works`: bytes pass
 * - `refuses`: nobody listens, and open connections end
 * - `cuts`: a connection ends as soon as the client asks for something
 * - `swallows`: the question arrives, and the connection ends in place of the answer
 * - `dismisses`: the answer arrives, and right behind it the server's word that the session is over
 * - `silent`: connections are accepted and stay open, but nothing ever passes
 */
export type Line = 'works' | 'refuses' | 'cuts' | 'swallows' | 'dismisses' | 'silent';

/** What a server says to a session that an administrator ends. */
const FATAL = ((fields: string) => {
  const message = Buffer.alloc(5 + fields.length, 'E');
  message.writeInt32BE(4 + fields.length, 1);
  message.write(fields, 5);
  return message;
})('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0');

/** An answer is complete, and the server waits for the next question. */
const isComplete = (bytes: Buffer): boolean =>
  bytes.at(-6) === 'Z'.charCodeAt(0) && bytes.at(-2) === 5;

/** A TCP proxy in front of the database that fails in the ways networks fail. */
export class FaultProxy {
  private line: Line = 'works';
  private readonly clients = new Set<Socket>();
  /** The other ends of the clients' connections. */
  private readonly sessions = new Set<Socket>();
  private readonly forgotten = new WeakSet<Socket>();
  private server: Server | undefined;

  private constructor(
    private readonly target: { readonly host: string; readonly port: number },
    private port: number,
  ) {}

  static async start(host: string, port: number): Promise<FaultProxy> {
    const proxy = new FaultProxy({ host, port }, 0);
    await proxy.listen();
    return proxy;
  }

  /** The same address, through this proxy. */
  through(databaseUrl: string): string {
    const url = new URL(databaseUrl);
    url.hostname = '127.0.0.1';
    url.port = String(this.port);
    return url.href;
  }

  /** Connections that were silent stay so for ever: routers in between have forgotten them. */
  async become(line: Line): Promise<void> {
    this.line = line;
    if (line === 'silent') for (const client of this.clients) this.forgotten.add(client);
    if (line === 'refuses') await this.stop();
    else if (!this.server) await this.listen();
  }

  async stop(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    for (const client of this.clients) client.destroy();
    for (const session of this.sessions) session.destroy();
    if (!server) return;
    server.close();
    await once(server, 'close');
  }

  private async listen(): Promise<void> {
    this.server = createServer((client) => this.join(client)).listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = (this.server.address() as AddressInfo).port;
  }

  private join(client: Socket): void {
    const database = connect(this.target.port, this.target.host);
    if (this.line === 'silent') this.forgotten.add(client);
    const pass = (from: Socket, to: Socket, end: Line) =>
      from.on('data', (bytes) => {
        if (this.forgotten.has(client)) return;
        if (this.line === end) client.destroy();
        else if (this.line === 'dismisses' && from === database && isComplete(bytes)) {
          client.end(Buffer.concat([bytes, FATAL]));
        } else to.write(bytes);
      });
    pass(client, database, 'cuts');
    pass(database, client, 'swallows');
    this.clients.add(client);
    this.sessions.add(database);
    database.once('close', () => this.sessions.delete(database));
    for (const socket of [client, database]) {
      socket.on('error', () => undefined);
      socket.once('close', () => {
        this.clients.delete(client);
        client.destroy();
        // The database does not hear of the end of a connection that routers have forgotten.
        if (!this.forgotten.has(client)) database.destroy();
      });
    }
  }
}
