import pg from 'pg';
import { serialize } from 'pg-protocol';
import type { WireConnection } from './broken-answers.js';

/** Messages that the driver's query sends for a prepared statement. */
interface Messages {
  readonly parsedStatements: Record<string, string>;
  readonly submittedNamedStatements: Readonly<Record<string, string>>;
  bind(config: Parameters<typeof serialize.bind>[0]): void;
  describe(config: Parameters<typeof serialize.describe>[0]): void;
  execute(config: Parameters<typeof serialize.execute>[0]): void;
  close(config: Parameters<typeof serialize.close>[0]): void;
  sync(): void;
}

/** The driver's connection. */
export type DriverConnection = WireConnection & Messages;

export interface NamedStatement {
  readonly name: string;
  readonly text: string;
}

/** What the driver's result has derived from the description of the columns. */
interface Columns {
  readonly fields: unknown;
  readonly _parsers: unknown;
  readonly _prebuiltEmptyResultObject: unknown;
}

/** The driver's query with methods and fields that its types omit. */
interface DriverQuery {
  readonly name: string;
  readonly _result: Columns;
  prepare(connection: Messages): void;
  handleReadyForQuery(connection: DriverConnection): void;
  submit(connection: pg.Connection): void;
}

const DriverQuery = pg.Query as unknown as new (
  config: NamedStatement & { readonly values: unknown[] },
  done: (error: Error | null, result: pg.QueryResult) => void,
) => DriverQuery;

const columnsOf = new WeakMap<DriverConnection, Map<string, Columns>>();

/**
 * A named statement. From its second execution on a connection, it is sent in one write and without Describe. Its
 * columns stay the same: PostgreSQL rejects a prepared statement whose columns have changed.
 */
export class PreparedQuery extends DriverQuery {
  override prepare(connection: DriverConnection): void {
    const columns = columnsOf.get(connection)?.get(this.name);
    if (!columns) return super.prepare(connection);
    Object.assign(this.result, columns);
    Object.assign(this, { _accumulateRows: true });
    const { parsedStatements, submittedNamedStatements } = connection;
    const messages: Buffer[] = [];
    super.prepare({
      parsedStatements,
      submittedNamedStatements,
      bind: (config) => void messages.push(serialize.bind(config)),
      describe: () => undefined,
      execute: (config) => void messages.push(serialize.execute(config)),
      close: (config) => void messages.push(serialize.close(config)),
      sync: () => void messages.push(serialize.sync()),
    });
    connection.stream.write(Buffer.concat(messages));
  }

  override handleReadyForQuery(connection: DriverConnection): void {
    const known = columnsOf.get(connection) ?? new Map<string, Columns>();
    if (!known.has(this.name)) columnsOf.set(connection, known.set(this.name, this.columns));
    super.handleReadyForQuery(connection);
  }

  private get columns(): Columns {
    const { fields, _parsers: parsers, _prebuiltEmptyResultObject: emptyRow } = this.result;
    return { fields, _parsers: parsers, _prebuiltEmptyResultObject: emptyRow };
  }

  private get result(): Columns {
    const { _result: result } = this;
    return result;
  }
}

/** The server has dropped a prepared statement (26000), or rejects it because its result type has changed (0A000). */
export const isOutdatedStatement = (error: Error & { readonly code?: string }): boolean =>
  error.code === '26000' || error.code === '0A000';

/** Prepares the statement again at its next execution. */
export function forgetStatement(connection: DriverConnection, name: string): void {
  columnsOf.get(connection)?.delete(name);
  delete connection.parsedStatements[name];
  connection.close({ type: 'S', name });
}
