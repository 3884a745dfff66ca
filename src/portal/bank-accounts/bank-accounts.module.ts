import { Module } from '@nestjs/common';
import { NotificationsModule } from '../../notifications/notifications.module.js';
import { PayoutsModule } from '../../payouts/payouts.module.js';
import { PeopleModule } from '../../people/people.module.js';
import { AccountNotices } from './account-notices.js';
import { BankAccountsController } from './bank-accounts.controller.js';
import { PayoutScheduleController } from './payout-schedule.controller.js';

/** Bank accounts and automatic payouts of merchants. */
@Module({
  imports: [NotificationsModule, PayoutsModule, PeopleModule],
  controllers: [BankAccountsController, PayoutScheduleController],
  providers: [AccountNotices],
})
export class BankAccountsModule {}
