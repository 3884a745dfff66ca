import { Module } from '@nestjs/common';
import { MerchantsModule } from '../merchants/merchants.module.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { ProvidersModule } from '../providers/providers.module.js';
import { StatusModule } from '../status/status.module.js';
import { IdempotencyService } from './idempotency.service.js';
import { OrderUpdateService } from './order-update.service.js';
import { OrdersController } from './orders.controller.js';
import { OrdersService } from './orders.service.js';

/** Order API for shops: create, read, change and cancel. */
@Module({
  imports: [MerchantsModule, NotificationsModule, PaymentsModule, ProvidersModule, StatusModule],
  controllers: [OrdersController],
  providers: [IdempotencyService, OrderUpdateService, OrdersService],
  exports: [IdempotencyService, OrdersService],
})
export class OrdersModule {}
