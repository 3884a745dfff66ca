import { connect, type NetConnectOpts, Socket } from 'node:net';
import pg from 'pg';
import { endWithBrokenAnswers } from './broken-answers.js';
import {
  type DriverConnection,
  forgetStatement,
  isOutdatedStatement,
  type NamedStatement,
  PreparedQuery,
} from './prepared-query.js';
import { leftMs } from '../../overload/request-context.js';

/** Protocol code of a cancel request. */
const CANCEL_REQUEST = 80_877_102;
/** SQLSTATE read_only_sql_transaction. */
const READ_ONLY = '25006';
/** Timeout of a cancel request, in milliseconds. */
const CANCEL_MS = 1_000;

/** Internals of the driver that its types omit. */
interface Inside {
  readonly connection: DriverConnection;
  readonly connectionParameters: { query_timeout?: number };
  /** The statement whose response is incomplete. */
  readonly _activeQuery: unknown;
  readonly processID: number | null;
  readonly secretKey: number | null;
}

/**
 * A connection that can be lost at any time without ending the process, and that cancels its statement on the server
 * when it ends. Used for every connection of the service.
 */
export class DatabaseClient extends pg.Client {
  /** Number of connections of this process. */
  static sessions = 0;

  /** Why the connection was lost. */
  lost: Error | undefined;
  /** The server rejected a write: a new connection may reach the primary, or a server with free disk space. */
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

  /**
   * Runs a named statement, which each connection parses and describes once. Not for transactions: it is prepared and
   * run again when the server has dropped it, or its result type has changed.
   */
  prepared<Row extends pg.QueryResultRow>(
    statement: NamedStatement,
    values: readonly unknown[],
  ): Promise<pg.QueryResult<Row>> {
    return new Promise((resolve, reject) => {
      const run = (onError: (error: Error) => void): void => {
        const query: unknown = this.query(
          new PreparedQuery({ ...statement, values: [...values] }, (error, result) =>
            error ? onError(error) : resolve(result),
          ),
        );
        // Not sent: the request is out of time.
        if (query instanceof Promise) query.catch(reject);
      };
      run((error) => {
        if (!isOutdatedStatement(error)) return reject(error);
        forgetStatement(this.inside.connection, statement.name);
        run(reject);
      });
    });
  }

  /** The connection must not be reused. */
  get isSpoiled(): boolean {
    return this.isSilent || this.isReadOnly;
  }

  /** It is lost, or has not responded. */
  get isSilent(): boolean {
    return this.lost !== undefined || this.hasPendingResponse;
  }

  override end(): Promise<void>;
  override end(done: (error: Error) => void): void;
  override end(done?: (error: Error) => void): Promise<void> | void {
    if (!this.hasPendingResponse) return done ? super.end(done) : super.end();
    const ended = this.cancel().then(() => super.end());
    return done ? void ended.then(done as () => void) : ended;
  }

  /** Closes immediately and fails pending queries; a pool removes it before it gives out its next connection. */
  destroy(): void {
    this.emit('error', new Error('Connection terminated by the service'));
    this.inside.connection.stream.destroy();
  }

  /** Limits each statement to `statementMs`, and to the remaining time of its request. */
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

  private get hasPendingResponse(): boolean {
    const { _activeQuery: statement } = this.inside;
    return this.lost === undefined && statement !== null;
  }

  /**
   * A server continues the statement of a client that has left, possibly forever when it waits for a standby. The
   * result of the cancel request does not matter.
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

/** The address of the connected server: its name may resolve to another one by now. */
function addressOf(socket: Socket, { host, port }: pg.Client): NetConnectOpts {
  const { remoteAddress, remotePort } = socket;
  return remoteAddress === undefined || remotePort === undefined
    ? { path: `${host}/.s.PGSQL.${port}` }
    : { host: remoteAddress, port: remotePort };
}

/** Waits until the other side closes: a pooler forwards a cancel request only while its sender is connected. */
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

/** With SQLSTATE query_canceled. */
const outOfTime = (): Error =>
  Object.assign(new Error('the request has used up its time'), { code: '57014' });
