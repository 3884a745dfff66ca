import { Module } from '@nestjs/common';
import { Checkpoints } from './checkpoints.js';
import { FeesService } from './fees.service.js';
import { LedgerService } from './ledger.service.js';

const SERVICES = [Checkpoints, FeesService, LedgerService];

/** Double-entry ledger. */
@Module({ providers: SERVICES, exports: SERVICES })
export class LedgerModule {}
