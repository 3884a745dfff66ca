import { Module } from '@nestjs/common';
import { PayoutsModule } from '../../payouts/payouts.module.js';
import { PeopleModule } from '../../people/people.module.js';
import { PayoutAskingService } from './payout-asking.service.js';
import { PayoutExportsService } from './payout-exports.service.js';
import { PayoutPagesService } from './payout-pages.service.js';
import { PayoutController } from './payout.controller.js';
import { PayoutPagesController } from './payouts.controller.js';

/** A merchant's balance and payouts. */
@Module({
  imports: [PayoutsModule, PeopleModule],
  controllers: [PayoutPagesController, PayoutController],
  providers: [PayoutAskingService, PayoutExportsService, PayoutPagesService],
})
export class PayoutPagesModule {}
