import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Clock } from '../../common/time/clock.js';
import { Config } from '../../config/config.js';
import { WorkerEligibility } from '../schema/worker-eligibility.js';
import { JobRepository, type OverdueJob, type Queue } from './job.repository.js';

/** A task that runs at least once a minute, and earlier when woken. */
type Task = () => Promise<unknown>;

/** Maximum delay of a due task. */
const POLL_MS = 1_000;
/** Grace period for running tasks at shutdown. */
const STOP_TIMEOUT_MS = 4_000;

/**
 * Runs background tasks, which all processes share. A wake-up may be late or lost: due work is stored in tables, which
 * each task reads, and every task runs once a minute anyway. A task runs once at a time in a process; other processes
 * may run it meanwhile.
 */
@Injectable()
export class JobScheduler implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('jobs');
  private readonly tasks = new Map<string, Task>();
  private readonly queues = new Map<Queue, () => void>();
  private readonly running = new Map<string, Promise<void>>();
  private timer: NodeJS.Timeout | undefined;
  private polling: Promise<void> | undefined;
  private isFailing = false;

  constructor(
    private readonly config: Config,
    private readonly jobs: JobRepository,
    private readonly eligibility: WorkerEligibility,
    private readonly clock: Clock,
  ) {}

  /** Call while modules start. */
  register(name: string, task: Task): void {
    this.tasks.set(name, task);
  }

  /** Call while modules start. @param listener called at least once a second while the queue has due work */
  onDue(queue: Queue, listener: () => void): void {
    this.queues.set(queue, listener);
  }

  /** Makes the task due at `at`, unless it is due earlier. A lost wake-up delays the task by a minute at most. */
  async wake(name: string, at: Date): Promise<void> {
    try {
      await this.jobs.wake(name, at);
    } catch (error) {
      this.logger.warn({ event: 'job.wake.failed', err: error, job: name }, 'job not woken');
    }
  }

  /** Due tasks of all processes, longest overdue first: many for long mean that no process runs background jobs. */
  overdue(): Promise<OverdueJob[]> {
    return this.jobs.overdue([...this.tasks.keys()]);
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.config.role === 'api') return;
    await this.jobs.insert([...this.tasks.keys()]);
    this.timer = setInterval(() => {
      this.polling ??= this.poll().finally(() => (this.polling = undefined));
    }, POLL_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    this.timer = undefined;
    await this.polling;
    const stopped = new AbortController();
    await Promise.race([
      Promise.all(this.running.values()),
      sleep(STOP_TIMEOUT_MS, undefined, { signal: stopped.signal }).catch(() => undefined),
    ]);
    stopped.abort();
  }

  private async poll(): Promise<void> {
    if (!this.eligibility.mayWork) return;
    const idle = [...this.tasks.keys()].filter((name) => !this.running.has(name));
    try {
      const due = await this.jobs.due(this.clock.now(), idle);
      this.isFailing = false;
      for (const [queue, listener] of this.queues) if (due[queue]) listener();
      if (due.jobs.length > 0) await this.runAll(due.jobs);
    } catch (error) {
      // One line for an outage, not one a second.
      if (!this.isFailing)
        this.logger.warn({ event: 'job.poll.failed', err: error }, 'due work could not be read');
      this.isFailing = true;
    }
  }

  private async runAll(due: readonly string[]): Promise<void> {
    const claimed = await this.jobs.claim(due);
    await this.eligibility.check();
    if (this.eligibility.mayWork) for (const name of claimed) this.start(name);
  }

  private start(name: string): void {
    this.running.set(
      name,
      this.run(name).finally(() => this.running.delete(name)),
    );
  }

  private async run(name: string): Promise<void> {
    try {
      await this.tasks.get(name)!();
    } catch (error) {
      this.logger.error({ event: 'job.failed', err: error, job: name }, 'job failed');
    }
  }
}
