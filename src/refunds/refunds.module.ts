import { Module } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module.js';
import { MerchantsModule } from '../merchants/merchants.module.js';
import { OrdersModule } from '../orders/orders.module.js';
import { PayoutsModule } from '../payouts/payouts.module.js';
import { ProvidersModule } from '../providers/providers.module.js';
import { RefundLifecycleModule } from '../refund-lifecycle/refund-lifecycle.module.js';
import { PeopleModule } from '../people/people.module.js';
import { RefundPayees } from './refund-payees.service.js';
import { RefundReader } from './refund-reader.js';
import { RefundRunner } from './refund-runner.js';
import { RefundSources } from './refund-sources.js';
import { RefundsController } from './refunds.controller.js';
import { RefundsService } from './refunds.service.js';

/** Refunds of paid orders: API, states, and calls to the providers. */
@Module({
  imports: [
    LedgerModule,
    MerchantsModule,
    OrdersModule,
    PayoutsModule,
    PeopleModule,
    ProvidersModule,
    RefundLifecycleModule,
  ],
  controllers: [RefundsController],
  providers: [RefundPayees, RefundReader, RefundRunner, RefundSources, RefundsService],
  exports: [RefundPayees, RefundReader, RefundRunner, RefundsService],
})
export class RefundsModule {}
