import { Logger } from '@nestjs/common';
import { outsideRequest } from '../database/connection/time-budget.js';

/** What is due without being woken, such as a retry, starts at most this much late, in milliseconds. */
const POLL_MS = 1_000;
/** Calls that come this close together lead to one poll. */
const WAKE_MS = 25;

/** Whether this process may begin anything now. */
interface Permit {
  readonly mayWork: boolean;
}

interface Work<Job> {
  /** Deliveries that are under way at once, at most. */
  readonly slots: number;
  /** Takes due deliveries out of the tables, at most `free` of them. */
  readonly claim: (free: number) => Promise<readonly Job[]>;
  /** Delivers one and writes down what came of it. */
  readonly deliver: (job: Job) => Promise<void>;
}

/** Keeps taking due deliveries and works on them side by side. */
export class DeliveryLoop<Job> {
  private readonly logger = new Logger('deliveries');
  private readonly running = new Set<Promise<void>>();
  private permit: Permit | undefined;
  private poll: NodeJS.Timeout | undefined;
  private soon: NodeJS.Timeout | undefined;
  private taking: Promise<void> | undefined;
  /** Something came free during the last poll. */
  private again = false;
  /** The last poll found something: more may wait for what comes free. */
  private isBusy = false;

  constructor(private readonly work: Work<Job>) {}

  start(permit: Permit): void {
    this.permit = permit;
    this.poll = setInterval(() => this.pollNow(), POLL_MS);
  }

  /** Looks in a moment, for everybody; does nothing in a process that does not deliver. */
  wake(): void {
    if (this.poll) this.soon ??= outsideRequest(() => setTimeout(() => this.pollNow(), WAKE_MS));
  }

  /** Takes nothing more, and waits for what is under way. */
  async stop(): Promise<void> {
    clearInterval(this.poll);
    clearTimeout(this.soon);
    this.poll = undefined;
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
    for (let found = 0; this.poll && (this.again || found > 0); taken += found) {
      this.again = false;
      found = await this.take();
    }
    this.isBusy = taken > 0;
  }

  private async take(): Promise<number> {
    const free = this.work.slots - this.running.size;
    if (free <= 0) return 0;
    const jobs = await this.work.claim(free).catch((error: unknown) => {
      this.logger.warn({ err: error }, 'nothing taken');
      return [];
    });
    for (const job of jobs) this.run(job);
    return jobs.length;
  }

  private run(job: Job): void {
    const task = this.work
      .deliver(job)
      .catch((error: unknown) => this.logger.error({ err: error }, 'delivery is tried again later'))
      .finally(() => {
        this.running.delete(task);
        this.freed();
      });
    this.running.add(task);
  }

  /** While things wait, a place that came free is taken at once. */
  private freed(): void {
    if (this.poll && this.isBusy) this.pollNow();
    else this.wake();
  }
}
