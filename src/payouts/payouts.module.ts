import { Module } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { MerchantsModule } from '../merchants/merchants.module.js';
import { RefundLifecycleModule } from '../refund-lifecycle/refund-lifecycle.module.js';
import { ApprovalsService } from './approvals.service.js';
import { BalanceController } from './balance.controller.js';
import { BankAccountsService } from './bank-accounts.service.js';
import { BookedPayouts } from './booked-payouts.service.js';
import { ExportPicker } from './export-picker.js';
import { PayoutFilesService } from './payout-files.service.js';
import { PayoutMover } from './payout-mover.js';
import { PayoutNotices } from './payout-notices.js';
import { PayoutReader } from './payout-reader.js';
import { PayoutSchedulesService } from './payout-schedules.service.js';
import { PayoutsController } from './payouts.controller.js';
import { PayoutsService } from './payouts.service.js';
import { RefundPayouts } from './refund-payouts.service.js';
import { Reservations } from './reservations.js';
import { ScheduledPayouts } from './scheduled-payouts.js';

/** Services exported to other modules. */
const SERVICES = [
  ApprovalsService,
  BankAccountsService,
  BookedPayouts,
  PayoutFilesService,
  PayoutSchedulesService,
  PayoutsService,
  RefundPayouts,
];

/** Payouts to merchants' banks. */
@Module({
  imports: [LedgerModule, MerchantsModule, NotificationsModule, RefundLifecycleModule],
  // In the order of the API reference.
  controllers: [PayoutsController, BalanceController],
  providers: [
    ...SERVICES,
    ExportPicker,
    PayoutMover,
    PayoutNotices,
    PayoutReader,
    Reservations,
    ScheduledPayouts,
  ],
  exports: SERVICES,
})
export class PayoutsModule {}
