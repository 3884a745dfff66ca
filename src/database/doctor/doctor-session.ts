import { DatabaseClient } from '../connection/client.js';
import { type Connection, POOL_LIMITS } from '../data-source.js';
import { type Fact, type Finding, questionOf, type Violation } from './fact.js';

/** Milliseconds that one fact may take. */
const FACT_MS = 10 * 60_000;

/**
 * Facts read whole tables: joins row by row would only be a mistake of the planner, and one core is
 * enough of what the service needs itself. The server does not know everywhere how to look for its
 * reader.
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
 * A connection of its own, beside those of the pool and without their limits. Each fact is asked in a
 * transaction of its own, in one statement and so of one state of the rows: payments meanwhile make no
 * false alarm, and nothing waits for longer than one fact takes. On the embedded database, which works
 * for nobody else meanwhile, the service goes on in between.
 */
export class DoctorSession {
  private readonly client: DatabaseClient;

  constructor(connection: Connection) {
    const { keepAlive, keepAliveInitialDelayMillis, connectionTimeoutMillis } = POOL_LIMITS;
    const limits = { keepAlive, keepAliveInitialDelayMillis, connectionTimeoutMillis };
    const where =
      connection.kind === 'postgres'
        ? { connectionString: connection.connectionString, application_name: 'orders doctor' }
        : { stream: connection.stream, ssl: false };
    this.client = new DatabaseClient({ ...where, ...limits });
    // Whoever waits for an answer is told as well.
    this.client.on('error', () => this.close());
  }

  async start(): Promise<void> {
    await this.client.connect();
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

  /** At once, whatever is being asked. */
  close(): void {
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
