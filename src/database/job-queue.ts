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
import { WorkerEligibility } from './schema/worker-eligibility.js';

/** A task that runs at least once a minute, and earlier when woken. */
type Task = () => Promise<unknown>;

/** Polls every second; all due jobs of a task are one run. */
const POLLING = { pollingIntervalSeconds: 1, batchSize: 1_000 };
/** At most one queued job per key. Seconds until a run expires, and until finished jobs are deleted. */
const QUEUE = { policy: 'short', retryLimit: 0, expireInSeconds: 60, deleteAfterSeconds: 3_600 };
/** Keys of jobs: requested by `wake`, and scheduled every minute. */
const ALARM = { singletonKey: 'alarm' };
const CLOCK = { singletonKey: 'clock' };
/** Limits of the queue's maintenance, longer than those of requests, in milliseconds. */
const QUEUE_LIMITS = { query_timeout: 30_000, statement_timeout: 30_000 };
/** Grace period for running jobs at shutdown. */
const STOP_TIMEOUT_MS = 4_000;

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
  /** Due jobs that are not claimed. */
  readonly depth: number;
  readonly oldestSeconds: number;
}

/**
 * Wakes tasks, shared by all processes. A wake-up may be late or lost: due work is stored in tables, which each task
 * reads, and every task runs once a minute anyway.
 */
@Injectable()
export class JobQueue implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('jobs');
  private readonly tasks = new Map<string, Task>();
  private boss: PgBoss | undefined;

  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly eligibility: WorkerEligibility,
    @Inject(CONNECTION) private readonly connection: Connection,
  ) {}

  /** Call while modules start. */
  register(name: string, task: Task): void {
    this.tasks.set(name, task);
  }

  /**
   * Runs the task at `at`, or a second later. A task has one alarm, at the earliest requested time; the task requests
   * later ones when it has run. A lost alarm delays the task by a minute at most.
   */
  async wake(name: string, at: Date): Promise<void> {
    try {
      const isSet = await this.boss?.send(name, {}, { ...ALARM, startAfter: at });
      if (isSet === null) await this.database.query(SOONER, [name, at]);
    } catch (error) {
      this.logger.warn({ err: error }, 'alarm not set');
    }
  }

  /** @returns an empty list when this process runs no background jobs */
  async backlog(): Promise<Backlog[]> {
    return this.boss ? this.database.query<Backlog>(BACKLOG, []) : [];
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.config.role === 'api') return;
    const boss = new PgBoss(this.bossOptions());
    boss.on('error', (error) => this.logger.warn({ err: error }, 'job queue'));
    await boss.start();
    for (const [name, task] of this.tasks) {
      await boss.createQueue(name, QUEUE);
      await boss.work(name, POLLING, () => this.run(name, task));
      await boss.schedule(name, '* * * * *', null, CLOCK);
    }
    this.boss = boss;
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.boss?.stop({ graceful: true, timeout: STOP_TIMEOUT_MS });
    this.boss = undefined;
  }

  private async run(name: string, task: Task): Promise<void> {
    await this.eligibility.check();
    if (!this.eligibility.mayWork) return;
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
    // pg-boss passes `stream` and `Client` on to the driver.
    const driver = { ...where, Client: DatabaseClient };
    return { ...driver, ...limitsOf(connection, QUEUE_LIMITS), max: 2, schema: 'job' };
  }
}
