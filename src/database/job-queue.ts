import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { PgBoss } from 'pg-boss';
import { Config } from '../config/config.js';
import { DatabaseClient } from './client.js';
import { CONNECTION, Database, type Statement } from './database.js';
import { type Connection, limitsOf } from './data-source.js';
import { Fitness } from './fitness.js';

/** A job at least once a minute, and sooner when somebody asks to be woken. */
type Task = () => Promise<unknown>;

/** Seconds between two looks for a job whose time has come. */
const POLLING_SECONDS = 1;
/** The queue's own upkeep may take longer than a request; in milliseconds. */
const QUEUE_LIMITS = { query_timeout: 30_000, statement_timeout: 30_000 };
/** Jobs that are ended with the process get this long to finish. */
const STOP_TIMEOUT_MS = 4_000;

const BACKLOG: Statement = {
  name: 'jobs_backlog',
  text: `SELECT name, count(*) AS depth,
      coalesce(extract(epoch FROM now() - min(start_after)), 0)::float8 AS "oldestSeconds"
    FROM job.job WHERE state IN ('created', 'retry') AND start_after <= now() GROUP BY name`,
};

export interface Backlog {
  readonly name: string;
  /** Jobs whose time has come and that nobody has taken. */
  readonly depth: number;
  readonly oldestSeconds: number;
}

/**
 * An alarm clock that all processes share. It may ring late or not at all: what is due stands in the
 * tables, each task looks there, and the clock rings for every task once a minute anyway.
 */
@Injectable()
export class JobQueue implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('jobs');
  private readonly tasks = new Map<string, Task>();
  private boss: PgBoss | undefined;

  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly fitness: Fitness,
    @Inject(CONNECTION) private readonly connection: Connection,
  ) {}

  /** Called by modules while they start. */
  register(name: string, task: Task): void {
    this.tasks.set(name, task);
  }

  /** Rings for the task at `at`, or a second later. A lost ring delays the task by a minute at most. */
  async wake(name: string, at: Date): Promise<void> {
    await this.boss
      ?.send(name, {}, { startAfter: at })
      .catch((error: unknown) => this.logger.warn({ err: error }, 'alarm not set'));
  }

  /** Empty when the background jobs do not run in this process. */
  async backlog(): Promise<Backlog[]> {
    return this.boss ? this.database.query<Backlog>(BACKLOG, []) : [];
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.config.jobs === 'off') return;
    const boss = new PgBoss(this.bossOptions());
    boss.on('error', (error) => this.logger.warn({ err: error }, 'job queue'));
    await boss.start();
    for (const [name, task] of this.tasks) {
      await boss.createQueue(name, { retryLimit: 0, expireInSeconds: 60 });
      await boss.work(name, { pollingIntervalSeconds: POLLING_SECONDS }, () =>
        this.run(name, task),
      );
      await boss.schedule(name, '* * * * *');
    }
    this.boss = boss;
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.boss?.stop({ graceful: true, timeout: STOP_TIMEOUT_MS });
    this.boss = undefined;
  }

  private async run(name: string, task: Task): Promise<void> {
    await this.fitness.look();
    if (!this.fitness.mayWork) return;
    try {
      await task();
    } catch (error) {
      this.logger.error({ err: error, job: name }, 'job failed');
      throw error;
    }
  }

  private bossOptions(): ConstructorParameters<typeof PgBoss>[0] {
    const { connection } = this;
    const where =
      connection.kind === 'postgres'
        ? { connectionString: connection.connectionString }
        : { stream: connection.stream };
    // `stream` and `Client` are options of the driver, to which pg-boss hands its options on.
    const driver = { ...where, Client: DatabaseClient };
    return { ...driver, ...limitsOf(connection, QUEUE_LIMITS), max: 2, schema: 'job' };
  }
}
