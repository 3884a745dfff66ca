import { Logger } from '@nestjs/common';
import { runDetached } from '../overload/request-context.js';

/** Wake-ups within this time are merged. */
const WAKE_MS = 25;

/** Whether this process may start new deliveries. */
interface Permit {
  readonly mayWork: boolean;
}

interface Work<Job> {
  /** Maximum concurrent deliveries. */
  readonly slots: number;
  /** Claims at most `free` due deliveries. */
  readonly claim: (free: number) => Promise<readonly Job[]>;
  /** Delivers one and records the result. */
  readonly deliver: (job: Job) => Promise<void>;
}

/**
 * Claims due deliveries when woken, and processes them concurrently. The job scheduler wakes it once a second while work
 * is due, such as retries.
 */
export class DeliveryLoop<Job> {
  private readonly logger = new Logger('deliveries');
  private readonly running = new Set<Promise<void>>();
  private permit: Permit | undefined;
  private soon: NodeJS.Timeout | undefined;
  private taking: Promise<void> | undefined;
  /** A slot was freed during the last poll. */
  private again = false;
  /** The last poll found work, so freed slots are refilled at once. */
  private isBusy = false;

  constructor(private readonly work: Work<Job>) {}

  start(permit: Permit): void {
    this.permit = permit;
  }

  /** Schedules a poll; no-op in a process without deliveries. */
  wake(): void {
    if (this.permit) this.soon ??= runDetached(() => setTimeout(() => this.pollNow(), WAKE_MS));
  }

  /** Stops claiming, and waits for deliveries in progress. */
  async stop(): Promise<void> {
    clearTimeout(this.soon);
    this.permit = undefined;
    await this.taking;
    await Promise.all(this.running);
  }

  /** Delivers until nothing is due, for tests and commands. */
  async drain(): Promise<void> {
    while ((await this.take()) > 0 || this.running.size > 0) await Promise.all(this.running);
  }

  private pollNow(): void {
    clearTimeout(this.soon);
    this.soon = undefined;
    if (!this.permit?.mayWork) return;
    this.again = true;
    this.taking ??= this.takeAll().finally(() => (this.taking = undefined));
  }

  private async takeAll(): Promise<void> {
    let taken = 0;
    for (let found = 0; this.permit && (this.again || found > 0); taken += found) {
      this.again = false;
      found = await this.take();
    }
    this.isBusy = taken > 0;
  }

  private async take(): Promise<number> {
    const free = this.work.slots - this.running.size;
    if (free <= 0) return 0;
    const jobs = await this.work.claim(free).catch((error: unknown) => {
      this.logger.warn(
        { event: 'delivery.claim.failed', err: error },
        'due deliveries could not be claimed',
      );
      return [];
    });
    for (const job of jobs) this.run(job);
    return jobs.length;
  }

  private run(job: Job): void {
    const task = this.work
      .deliver(job)
      .catch((error: unknown) =>
        this.logger.error(
          { event: 'delivery.failed', err: error },
          'delivery failed and is retried',
        ),
      )
      .finally(() => {
        this.running.delete(task);
        this.freed();
      });
    this.running.add(task);
  }

  /** Refills a freed slot at once while work is waiting. */
  private freed(): void {
    if (this.permit && this.isBusy) this.pollNow();
    else this.wake();
  }
}
