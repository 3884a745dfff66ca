import { Module } from '@nestjs/common';
import { Checkpoints } from './checkpoints.js';
import { LedgerService } from './ledger.service.js';

/** Where every amount is. */
@Module({ providers: [Checkpoints, LedgerService], exports: [Checkpoints, LedgerService] })
export class LedgerModule {}
