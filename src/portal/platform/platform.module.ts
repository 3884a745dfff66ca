import { Module } from '@nestjs/common';
import { LedgerModule } from '../../ledger/ledger.module.js';
import { MerchantsModule } from '../../merchants/merchants.module.js';
import { PaymentsModule } from '../../payments/payments.module.js';
import { PayoutsModule } from '../../payouts/payouts.module.js';
import { RefundsModule } from '../../refunds/refunds.module.js';
import { PeopleModule } from '../../people/people.module.js';
import { ProvidersModule } from '../../providers/providers.module.js';
import { PlatformAuditController } from './audit.controller.js';
import { BankPagesModule } from './bank/bank-pages.module.js';
import { BankTasksService } from './bank-tasks.service.js';
import { FilesController } from './files/files.controller.js';
import { FilesPageService } from './files/files.service.js';
import { HealthPageController } from './health.controller.js';
import { HealthService } from './health.service.js';
import { MerchantPageService } from './merchant-page.service.js';
import { PlatformMerchantController } from './merchant.controller.js';
import { PlatformMerchantsController } from './merchants.controller.js';
import { PayoutPageService } from './payouts/payout-page.service.js';
import { PlatformPayoutsController } from './payouts/payouts.controller.js';
import { PlatformPayoutsService } from './payouts/platform-payouts.service.js';
import { PeopleAccessService } from './people-access.service.js';
import { PlatformPeopleController } from './people.controller.js';
import { AcceptancePageService } from './unallocated/acceptance-page.service.js';
import { DisputedCallbacksService } from './unallocated/disputed-callbacks.service.js';
import { RefundPageService } from './unallocated/refund-page.service.js';
import { UnallocatedController } from './unallocated/unallocated.controller.js';

/** Pages of the platform's operators and support. */
@Module({
  imports: [
    BankPagesModule,
    LedgerModule,
    MerchantsModule,
    PaymentsModule,
    PayoutsModule,
    RefundsModule,
    PeopleModule,
    ProvidersModule,
  ],
  controllers: [
    PlatformMerchantsController,
    PlatformMerchantController,
    PlatformPeopleController,
    HealthPageController,
    PlatformAuditController,
    FilesController,
    PlatformPayoutsController,
    UnallocatedController,
  ],
  providers: [
    AcceptancePageService,
    BankTasksService,
    PlatformPayoutsService,
    FilesPageService,
    HealthService,
    MerchantPageService,
    DisputedCallbacksService,
    PayoutPageService,
    PeopleAccessService,
    RefundPageService,
  ],
})
export class PlatformModule {}
