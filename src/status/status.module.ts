import { Module } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module.js';
import { MerchantsModule } from '../merchants/merchants.module.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { ProvidersModule } from '../providers/providers.module.js';
import { AcceptanceService } from './acceptance.service.js';
import { CancellationService } from './cancellation.service.js';
import { CorrectionsService } from './corrections.service.js';
import { OrderNews } from './order-news.js';
import { PaymentsService } from './payments.service.js';
import { ProviderCallbacksController } from './provider-callbacks.controller.js';
import { ProviderCallbacksService } from './provider-callbacks.service.js';
import { RefundsService } from './refunds.service.js';
import { SettlementService } from './settlement.service.js';
import { StatusController } from './status.controller.js';
import { StatusService } from './status.service.js';
import { Sweeper } from './sweeper.js';
import { Tally } from './tally.js';

/** The life of an order: the only module that changes one. */
@Module({
  imports: [LedgerModule, MerchantsModule, NotificationsModule, ProvidersModule],
  controllers: [ProviderCallbacksController, StatusController],
  providers: [
    AcceptanceService,
    CancellationService,
    CorrectionsService,
    OrderNews,
    PaymentsService,
    ProviderCallbacksService,
    RefundsService,
    SettlementService,
    StatusService,
    Sweeper,
    Tally,
  ],
  exports: [
    AcceptanceService,
    CancellationService,
    CorrectionsService,
    OrderNews,
    PaymentsService,
    ProviderCallbacksService,
    RefundsService,
    Sweeper,
    Tally,
  ],
})
export class StatusModule {}
