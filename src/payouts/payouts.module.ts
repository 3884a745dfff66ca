import { Module } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { ApprovalsService } from './approvals.service.js';
import { BankAccountsService } from './bank-accounts.service.js';
import { PayoutFilesService } from './payout-files.service.js';
import { PayoutMover } from './payout-mover.js';
import { PayoutsService } from './payouts.service.js';
import { Reservations } from './reservations.js';

/** Money that goes on to merchants' banks. */
@Module({
  imports: [LedgerModule, NotificationsModule],
  providers: [
    ApprovalsService,
    BankAccountsService,
    PayoutFilesService,
    PayoutMover,
    PayoutsService,
    Reservations,
  ],
  exports: [ApprovalsService, BankAccountsService, PayoutFilesService, PayoutsService],
})
export class PayoutsModule {}
