import { Module } from '@nestjs/common';
import { MerchantsModule } from '../../merchants/merchants.module.js';
import { NotificationsModule } from '../../notifications/notifications.module.js';
import { PaymentPageModule } from '../../payment-page/payment-page.module.js';
import { PeopleModule } from '../../people/people.module.js';
import { BusinessController } from './business.controller.js';
import { KeysController } from './keys.controller.js';
import { RecipientsPagesController } from './recipients.controller.js';
import { WebhookLogController } from './webhook-log.controller.js';
import { WebhooksController } from './webhooks.controller.js';

/** Settings of the merchant. */
@Module({
  imports: [MerchantsModule, NotificationsModule, PaymentPageModule, PeopleModule],
  controllers: [
    BusinessController,
    RecipientsPagesController,
    KeysController,
    // Order matters: `new` must match before `:id`.
    WebhooksController,
    WebhookLogController,
  ],
})
export class SettingsModule {}
