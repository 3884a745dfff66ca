import { Module } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module.js';
import { StatusModule } from '../status/status.module.js';
import { BankRefunds } from './bank-refunds.js';
import { RefundMover } from './refund-mover.js';
import { RequestedRefunds } from './requested-refunds.js';

/** States of refunds, with their ledger bookings and events. */
@Module({
  imports: [LedgerModule, StatusModule],
  providers: [BankRefunds, RefundMover, RequestedRefunds],
  exports: [BankRefunds, RefundMover, RequestedRefunds],
})
export class RefundLifecycleModule {}
