import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../common/time/clock.js';
import { JobScheduler } from '../database/jobs/job-scheduler.js';
import { AskedMailboxRepository } from '../database/notifications/asked-mailbox.repository.js';
import { drainBatches } from '../database/drain-batches.js';
import { DeliveryRepository } from '../database/notifications/delivery.repository.js';

const PURGE_JOB = 'purge-deliveries';
/** Retention of deliveries and their attempts. */
export const LOG_KEPT_MS = 60 * 24 * 3_600_000;

/** Purges old deliveries of webhooks and mails, and unanswered consent requests. */
@Injectable()
export class DeliveryLogPurge implements OnModuleInit {
  constructor(
    private readonly deliveries: DeliveryRepository,
    private readonly mailboxes: AskedMailboxRepository,
    private readonly jobs: JobScheduler,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.register(PURGE_JOB, () => this.run());
  }

  async run(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - LOG_KEPT_MS);
    await this.mailboxes.purge(before);
    await drainBatches('deliveries', (limit) => this.deliveries.purge(before, limit));
  }
}
