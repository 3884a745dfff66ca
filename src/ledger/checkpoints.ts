import { Injectable, type OnModuleInit } from '@nestjs/common';
import { JobQueue } from '../database/job-queue.js';
import { LedgerRepository } from '../database/ledger/ledger.repository.js';
import { workOff } from '../database/work-off.js';

/** Adds transfers to the checkpoints, so that a balance has few of them to add up: some of each at a time. */
@Injectable()
export class Checkpoints implements OnModuleInit {
  constructor(
    private readonly ledger: LedgerRepository,
    private readonly jobs: JobQueue,
  ) {}

  onModuleInit(): void {
    this.jobs.register('checkpoints', () => this.run());
  }

  async run(): Promise<void> {
    await workOff('transfers without a checkpoint', async () => {
      const balances = await this.ledger.toCheckpoint();
      for (const balance of balances) await this.ledger.checkpoint(balance);
      return balances.length;
    });
  }
}
