import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { PgBoss } from 'pg-boss';
import { Config } from '../config/config.js';
import { DatabaseClient } from './connection/client.js';
import { CONNECTION, Database, type Statement } from './database.js';
import { type Connection, limitsOf } from './data-source.js';
import { Fitness } from './schema/fitness.js';

/** A job at least once a minute, and sooner when somebody asks to be woken. */
type Task = () => Promise<unknown>;

/** A look each second, for all jobs of a task whose time has come: they are one run of it. */
const POLLING = { pollingIntervalSeconds: 1, batchSize: 1_000 };
/** Of jobs that wait under one key there is one. Seconds to run, and to stay when it is over. */
const QUEUE = { policy: 'short', retryLimit: 0, expireInSeconds: 60, deleteAfterSeconds: 3_600 };
/** Keys of what wakes a task: somebody asked for it, or a minute is over. */
const ALARM = { singletonKey: 'alarm' };
const CLOCK = { singletonKey: 'clock' };
/** The queue's own upkeep may take longer than a request; in milliseconds. */
const QUEUE_LIMITS = { query_timeout: 30_000, statement_timeout: 30_000 };
/** Jobs that are ended with the process get this long to finish. */
const STOP_TIMEOUT_MS = 4_000;

/** Queues of earlier versions had a job for each time that somebody asked. */
const ONE_ALARM: Statement = {
  name: 'jobs_one_alarm',
  text: `UPDATE job.queue SET policy = '${QUEUE.policy}', deletion_seconds = ${QUEUE.deleteAfterSeconds}
    WHERE name = ANY ($1) AND policy IS DISTINCT FROM '${QUEUE.policy}'`,
};

const SOONER: Statement = {
  name: 'jobs_sooner',
  text: `UPDATE job.job SET start_after = $2
    WHERE name = $1 AND singleton_key = '${ALARM.singletonKey}' AND state = 'created'
      AND policy = '${QUEUE.policy}' AND start_after > $2 RETURNING 1`,
};

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
 * An alarm clock that all processes share. It may wake late or not at all: what is due stands in the
 * tables, each task looks there, and the clock wakes every task once a minute anyway.
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

  /**
   * Wakes the task at `at`, or a second later. It has one alarm, which goes off at the earliest
   * time that was asked for: for what is due later the task asks again when it has run. A lost alarm
   * delays the task by a minute at most.
   */
  async wake(name: string, at: Date): Promise<void> {
    try {
      const isSet = await this.boss?.send(name, {}, { ...ALARM, startAfter: at });
      if (isSet === null) await this.database.query(SOONER, [name, at]);
    } catch (error) {
      this.logger.warn({ err: error }, 'alarm not set');
    }
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
      await boss.createQueue(name, QUEUE);
      await boss.work(name, POLLING, () => this.run(name, task));
      await boss.schedule(name, '* * * * *', null, CLOCK);
    }
    await this.database.query(ONE_ALARM, [[...this.tasks.keys()]]);
    this.boss = boss;
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.boss?.stop({ graceful: true, timeout: STOP_TIMEOUT_MS });
    this.boss = undefined;
  }

  private async run(name: string, task: Task): Promise<void> {
    await this.fitness.check();
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
