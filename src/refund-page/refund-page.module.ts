import { Module } from '@nestjs/common';
import { RefundsModule } from '../refunds/refunds.module.js';
import { RefundAccountController } from './refund-account.controller.js';
import { RefundAccountService } from './refund-account.service.js';

/** Page for payers whom the bank did not name. */
@Module({
  imports: [RefundsModule],
  controllers: [RefundAccountController],
  providers: [RefundAccountService],
})
export class RefundPageModule {}
