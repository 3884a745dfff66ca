import { Module } from '@nestjs/common';
import { LedgerModule } from '../../ledger/ledger.module.js';
import { MerchantsModule } from '../../merchants/merchants.module.js';
import { PayoutsModule } from '../../payouts/payouts.module.js';
import { ProvidersModule } from '../../providers/providers.module.js';
import { StatusModule } from '../../status/status.module.js';
import { PeopleModule } from '../people/people.module.js';
import { PlatformAuditController } from './audit.controller.js';
import { HealthPageController } from './health.controller.js';
import { HealthService } from './health.service.js';
import { MerchantPageService } from './merchant-page.service.js';
import { PlatformMerchantController } from './merchant.controller.js';
import { PlatformMerchantsController } from './merchants.controller.js';
import { AcceptancePageService } from './payouts/acceptance-page.service.js';
import { DeskService } from './payouts/desk.service.js';
import { FilesController } from './payouts/files.controller.js';
import { FilesPageService } from './payouts/files.service.js';
import { OddReportsService } from './payouts/odd-reports.service.js';
import { PayoutPageService } from './payouts/payout-page.service.js';
import { DeskController } from './payouts/payouts.controller.js';
import { UnallocatedController } from './payouts/unallocated.controller.js';
import { RefundPageService } from './payouts/refund-page.service.js';
import { PeopleAccessService } from './people-access.service.js';
import { PlatformPeopleController } from './people.controller.js';

/** What the platform's own staff look after. */
@Module({
  imports: [
    LedgerModule,
    MerchantsModule,
    PayoutsModule,
    PeopleModule,
    ProvidersModule,
    StatusModule,
  ],
  controllers: [
    PlatformMerchantsController,
    PlatformMerchantController,
    PlatformPeopleController,
    HealthPageController,
    PlatformAuditController,
    FilesController,
    DeskController,
    UnallocatedController,
  ],
  providers: [
    AcceptancePageService,
    DeskService,
    FilesPageService,
    HealthService,
    MerchantPageService,
    OddReportsService,
    PayoutPageService,
    PeopleAccessService,
    RefundPageService,
  ],
})
export class PlatformModule {}
