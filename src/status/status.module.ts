import { Module } from '@nestjs/common';
import { MerchantsModule } from '../merchants/merchants.module.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { OrderMetrics } from './order-metrics.js';
import { OrderUpdates } from './order-updates.js';
import { StatusController } from './status.controller.js';
import { StatusService } from './status.service.js';

/** Order status. */
@Module({
  imports: [MerchantsModule, NotificationsModule],
  controllers: [StatusController],
  providers: [OrderUpdates, StatusService, OrderMetrics],
  exports: [OrderUpdates, StatusService, OrderMetrics],
})
export class StatusModule {}
