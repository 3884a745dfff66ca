import { Injectable, type OnModuleInit } from '@nestjs/common';
import { JobQueue } from '../database/job-queue.js';
import { LedgerRepository } from '../database/repositories/ledger.repository.js';
import { CHECKPOINT_ROWS } from '../database/repositories/ledger.statements.js';

/** Adds transfers to the checkpoints, so that a balance has few of them to add up. */
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
    for (const purse of await this.ledger.toCheckpoint()) {
      let counted = CHECKPOINT_ROWS;
      while (counted === CHECKPOINT_ROWS) counted = await this.ledger.checkpoint(purse);
    }
  }
}
