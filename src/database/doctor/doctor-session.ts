import { DatabaseClient } from '../connection/client.js';
import { type Connection, POOL_LIMITS } from '../data-source.js';
import { type Fact, type Finding, questionOf, type Violation } from './fact.js';

/** Timeout per check, in milliseconds. */
const FACT_MS = 10 * 60_000;

/**
 * Checks read whole tables, so nested loops would only be a planner mistake; and one core at most, because the service
 * needs the others. `client_connection_check_interval` is not supported on all platforms.
 */
const BEGIN = `
  BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
  SET LOCAL statement_timeout = ${FACT_MS};
  SET LOCAL lock_timeout = ${POOL_LIMITS.lock_timeout};
  SET LOCAL jit = off;
  SET LOCAL enable_seqscan = on;
  SET LOCAL enable_nestloop = off;
  SET LOCAL max_parallel_workers_per_gather = 0;
  SET LOCAL work_mem = '64MB';
  DO $$ BEGIN
    PERFORM set_config('client_connection_check_interval', '1000', true);
  EXCEPTION WHEN OTHERS THEN NULL;
  END $$`;

type Row = Violation & { readonly total: number };

/**
 * A separate connection outside the pool and its limits. Each check is one statement in its own transaction, and so
 * sees a consistent snapshot: concurrent payments cause no false alarms, and nothing is blocked for longer than one
 * check. The embedded database has a single session, and serves other requests between checks.
 */
export class DoctorSession {
  private readonly client: DatabaseClient;
  private readonly closed = Promise.withResolvers<never>();

  constructor(connection: Connection) {
    const { keepAlive, keepAliveInitialDelayMillis, connectionTimeoutMillis } = POOL_LIMITS;
    const limits = { keepAlive, keepAliveInitialDelayMillis, connectionTimeoutMillis };
    const where =
      connection.kind === 'postgres'
        ? { connectionString: connection.connectionString, application_name: 'orders doctor' }
        : { stream: connection.stream, ssl: false };
    this.client = new DatabaseClient({ ...where, ...limits });
    this.closed.promise.catch(() => undefined);
    // Pending queries are rejected, too.
    this.client.on('error', () => this.close());
  }

  /** @throws when the session is closed meanwhile: the driver's `connect` would never settle */
  async start(): Promise<void> {
    await Promise.race([this.client.connect(), this.closed.promise]);
  }

  async ask(fact: Fact, now: Date): Promise<Finding> {
    const rows = await this.rowsOf(questionOf(fact), now);
    const violations = rows.map(({ merchantId, subject, detail }) => ({
      merchantId,
      subject,
      detail,
    }));
    return { fact, total: rows[0]?.total ?? 0, violations };
  }

  /** Closes immediately and aborts a running check. */
  close(): void {
    this.closed.reject(new Error('the session of the doctor was closed'));
    void this.client.end().catch(() => undefined);
  }

  private async rowsOf(question: string, now: Date): Promise<Row[]> {
    const { client } = this;
    await client.query(BEGIN);
    const { rows } = await client.query<Row>(question, [now]);
    await client.query('COMMIT');
    return rows;
  }
}
