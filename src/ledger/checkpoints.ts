import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { JobScheduler } from '../database/jobs/job-scheduler.js';
import { LedgerRepository } from '../database/ledger/ledger.repository.js';
import { drainBatches } from '../database/drain-batches.js';

/** Milliseconds after which a run takes no further balance. Each locked balance costs 3 s. */
const RUN_MS = 10_000;

/** Maintains balance checkpoints in batches, so that a balance adds up few transfers. */
@Injectable()
export class Checkpoints implements OnModuleInit {
  private readonly logger = new Logger('ledger');

  constructor(
    private readonly ledger: LedgerRepository,
    private readonly jobs: JobScheduler,
  ) {}

  onModuleInit(): void {
    this.jobs.register('checkpoints', () => this.run());
  }

  async run(): Promise<void> {
    const end = performance.now() + RUN_MS;
    await drainBatches('transfers without a checkpoint', async () => {
      let done = 0;
      for (const balance of await this.ledger.toCheckpoint()) {
        if (performance.now() > end) break;
        const rows = await this.ledger.checkpoint(balance).catch(this.logAndContinue);
        if (rows !== undefined) done++;
      }
      return done;
    });
  }

  /** A failing balance, such as one that is locked for long, does not block the others. */
  private readonly logAndContinue = (error: unknown): void =>
    this.logger.warn({ err: error }, 'checkpoint tried again later');
}
