import { Module } from '@nestjs/common';
import { PaymentsModule } from '../payments/payments.module.js';
import { ProvidersModule } from '../providers/providers.module.js';
import { StatusModule } from '../status/status.module.js';
import { CompiledPageCache } from './compiled-page-cache.js';
import { OrderWatch } from './order-watch.js';
import { PageOpenings } from './page-openings.js';
import { PaymentPageController } from './payment-page.controller.js';
import { PaymentPageService } from './payment-page.service.js';

/** Hosted payment page. */
@Module({
  imports: [PaymentsModule, ProvidersModule, StatusModule],
  controllers: [PaymentPageController],
  providers: [
    { provide: CompiledPageCache, useFactory: () => new CompiledPageCache() },
    OrderWatch,
    PageOpenings,
    PaymentPageService,
  ],
  exports: [CompiledPageCache, OrderWatch, PaymentPageService],
})
export class PaymentPageModule {}
