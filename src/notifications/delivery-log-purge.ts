import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { JobQueue } from '../database/job-queue.js';
import { DeliveryRepository } from '../database/repositories/delivery.repository.js';

const PURGE_JOB = 'purge-deliveries';
/** The log of deliveries and their attempts reaches so far back. */
export const LOG_KEPT_MS = 60 * 24 * 3_600_000;
/** Rows that one statement deletes at most, and statements that one run makes. */
const BATCH_MAX = 1_000;
const BATCHES_MAX = 50;

/** Forgets old deliveries, those of webhooks and of mails. */
@Injectable()
export class DeliveryLogPurge implements OnModuleInit {
  constructor(
    private readonly deliveries: DeliveryRepository,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.register(PURGE_JOB, () => this.run());
  }

  async run(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - LOG_KEPT_MS);
    for (let batch = 0; batch < BATCHES_MAX; batch++) {
      if ((await this.deliveries.purge(before, BATCH_MAX)) < BATCH_MAX) return;
    }
  }
}
