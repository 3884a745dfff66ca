import { connect, type NetConnectOpts, Socket } from 'node:net';
import pg from 'pg';
import { endWithBrokenAnswers, type WireConnection } from './broken-answers.js';
import { leftMs } from './time-budget.js';

/** Code of a request that asks the server to stop what a session does. */
const CANCEL_REQUEST = 80_877_102;
/** PostgreSQL's code for a write where nothing may be written. */
const READ_ONLY = '25006';
/** Milliseconds that such a request may take. */
const CANCEL_MS = 1_000;

/** What the driver knows and its types do not tell. */
interface Inside {
  readonly connection: WireConnection;
  readonly connectionParameters: { query_timeout?: number };
  /** The statement whose answer has not come to its end. */
  readonly _activeQuery: unknown;
  readonly processID: number | null;
  readonly secretKey: number | null;
}

/**
 * A connection that may be lost at any moment without ending the process, whoever holds it then, and
 * whose end is the end of its work on the server too. Every connection of the service is one.
 */
export class DatabaseClient extends pg.Client {
  /** Connections of this process. */
  static sessions = 0;

  /** Why the connection is gone. */
  lost: Error | undefined;
  /** It has refused a write: another one may lead to a server that leads, or that has space again. */
  isReadOnly = false;

  constructor(config: pg.ClientConfig) {
    super(config);
    endWithBrokenAnswers(this.inside.connection);
    this.on('error', (error) => void (this.lost ??= error));
    this.inside.connection.on(
      'errorMessage',
      ({ code }) => void (this.isReadOnly ||= code === READ_ONLY),
    );
    this.once('connect', () => {
      DatabaseClient.sessions++;
      this.once('end', () => void DatabaseClient.sessions--);
    });
    if (config.query_timeout) this.limit(config.query_timeout);
  }

  /** Nothing may be asked of the connection any more. */
  get isSpoiled(): boolean {
    return this.isSilent || this.isReadOnly;
  }

  /** It is gone, or has not answered. */
  get isSilent(): boolean {
    return this.lost !== undefined || this.owesAnswer;
  }

  override end(): Promise<void>;
  override end(done: (error: Error) => void): void;
  override end(done?: (error: Error) => void): Promise<void> | void {
    if (!this.owesAnswer) return done ? super.end(done) : super.end();
    const ended = this.cancel().then(() => super.end());
    return done ? void ended.then(done as () => void) : ended;
  }

  /** Ends at once, so that nobody waits for an answer. */
  destroy(): void {
    this.inside.connection.stream.destroy();
  }

  /** Each statement has so many milliseconds, and no more than are left of its request's time. */
  private limit(statementMs: number): void {
    const query = this.query.bind(this) as (...args: unknown[]) => unknown;
    this.query = ((...args: unknown[]) => {
      const left = leftMs();
      if (left <= 0) return Promise.reject(outOfTime());
      this.inside.connectionParameters.query_timeout = Math.min(statementMs, left);
      return query(...args);
    }) as pg.Client['query'];
  }

  private get inside(): Inside {
    return this as unknown as Inside;
  }

  private get owesAnswer(): boolean {
    const { _activeQuery: statement } = this.inside;
    return this.lost === undefined && statement !== null;
  }

  /**
   * A server goes on with a statement whose client has left, and waits for ever where it waits for
   * another server. The answer is for nobody, so how the cancelling went is of no interest.
   */
  private async cancel(): Promise<void> {
    const { connection, processID, secretKey } = this.inside;
    if (!(connection.stream instanceof Socket) || processID === null || secretKey === null) return;
    const request = Buffer.alloc(16);
    [request.length, CANCEL_REQUEST, processID, secretKey].forEach((word, index) =>
      request.writeInt32BE(word, 4 * index),
    );
    await send(request, addressOf(connection.stream, this));
  }
}

/** The very server of the connection: its name may stand for another one by now. */
function addressOf(socket: Socket, { host, port }: pg.Client): NetConnectOpts {
  const { remoteAddress, remotePort } = socket;
  return remoteAddress === undefined || remotePort === undefined
    ? { path: `${host}/.s.PGSQL.${port}` }
    : { host: remoteAddress, port: remotePort };
}

/** Waits until the other side closes: a pooler passes on only what still has a sender. */
function send(bytes: Buffer, address: NetConnectOpts): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(address);
    const limit = setTimeout(() => socket.destroy(), CANCEL_MS);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      clearTimeout(limit);
      resolve();
    });
    socket.resume().write(bytes);
  });
}

/** PostgreSQL's code for a statement that was not let go on. */
const outOfTime = (): Error =>
  Object.assign(new Error('the request has used up its time'), { code: '57014' });
