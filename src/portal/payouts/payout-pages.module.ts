import { Module } from '@nestjs/common';
import { PayoutsModule } from '../../payouts/payouts.module.js';
import { PeopleModule } from '../people/people.module.js';
import { PayoutAskingService } from './payout-asking.service.js';
import { PayoutController } from './payout.controller.js';
import { PayoutDownloadsService } from './payout-downloads.service.js';
import { PayoutPagesService } from './payout-pages.service.js';
import { PayoutsController } from './payouts.controller.js';

/** A merchant's balance and payouts. */
@Module({
  imports: [PayoutsModule, PeopleModule],
  controllers: [PayoutsController, PayoutController],
  providers: [PayoutAskingService, PayoutDownloadsService, PayoutPagesService],
})
export class PayoutPagesModule {}
