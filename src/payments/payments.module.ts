import { Module } from '@nestjs/common';
import { CollectionAccountsModule } from '../collection-accounts/collection-accounts.module.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { MerchantsModule } from '../merchants/merchants.module.js';
import { ProvidersModule } from '../providers/providers.module.js';
import { StatusModule } from '../status/status.module.js';
import { AcceptanceService } from './acceptance.service.js';
import { CancellationService } from './cancellation.service.js';
import { CorrectionsService } from './corrections.service.js';
import { CreditsService } from './credits.service.js';
import { PaymentsService } from './payments.service.js';
import { FastPathPaymentsService } from './fast-path-payments.service.js';
import { ProviderCallbacksController } from './provider-callbacks.controller.js';
import { ProviderCallbacksService } from './provider-callbacks.service.js';
import { RecordedRefundsService } from './recorded-refunds.service.js';
import { SettlementService } from './settlement.service.js';
import { Sweeper } from './sweeper.js';
import { GiveBackService } from './give-back.service.js';
import { TakeBackService } from './take-back.service.js';
import { TransferOffersService } from './transfer-offers.service.js';
import { TransfersService } from './transfers.service.js';

/** Services exported to other modules. */
const SERVICES = [
  AcceptanceService,
  CancellationService,
  CorrectionsService,
  CreditsService,
  PaymentsService,
  ProviderCallbacksService,
  RecordedRefundsService,
  Sweeper,
  TakeBackService,
  GiveBackService,
  TransferOffersService,
];

/** Payments of orders, from the first attempt to the end. */
@Module({
  imports: [CollectionAccountsModule, LedgerModule, MerchantsModule, ProvidersModule, StatusModule],
  controllers: [ProviderCallbacksController],
  providers: [...SERVICES, FastPathPaymentsService, SettlementService, TransfersService],
  exports: SERVICES,
})
export class PaymentsModule {}
