import { Module } from '@nestjs/common';
import { OrdersModule } from '../orders/orders.module.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { RefundsModule } from '../refunds/refunds.module.js';
import { ProvidersModule } from '../providers/providers.module.js';
import { SandboxBankController } from './sandbox-bank.controller.js';
import { SandboxCallbacksService } from './sandbox-callbacks.service.js';
import { TestHelpersController } from './test-helpers.controller.js';
import { TestHelpersService } from './test-helpers.service.js';

/** Simulated external bank: it communicates with the service only through callbacks. */
@Module({
  imports: [OrdersModule, PaymentsModule, ProvidersModule, RefundsModule],
  controllers: [SandboxBankController, TestHelpersController],
  providers: [SandboxCallbacksService, TestHelpersService],
})
export class SandboxBankModule {}
