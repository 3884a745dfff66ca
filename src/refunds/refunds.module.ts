import { Module } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module.js';
import { MerchantsModule } from '../merchants/merchants.module.js';
import { OrdersModule } from '../orders/orders.module.js';
import { ProvidersModule } from '../providers/providers.module.js';
import { StatusModule } from '../status/status.module.js';
import { RefundMover } from './refund-mover.js';
import { RefundReader } from './refund-reader.js';
import { RefundRunner } from './refund-runner.js';
import { RefundSources } from './refund-sources.js';
import { RefundsController } from './refunds.controller.js';
import { RefundsService } from './refunds.service.js';

/** Refunds of paid orders: API, states, and calls to the providers. */
@Module({
  imports: [LedgerModule, MerchantsModule, OrdersModule, ProvidersModule, StatusModule],
  controllers: [RefundsController],
  providers: [RefundMover, RefundReader, RefundRunner, RefundSources, RefundsService],
  exports: [RefundReader, RefundRunner, RefundsService],
})
export class RefundsModule {}
