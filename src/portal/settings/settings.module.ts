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

/** What merchants decide themselves. */
@Module({
  imports: [MerchantsModule, NotificationsModule, PaymentPageModule, PeopleModule],
  controllers: [
    BusinessController,
    RecipientsPagesController,
    KeysController,
    // In this order: `new` is no endpoint's id.
    WebhooksController,
    WebhookLogController,
  ],
})
export class SettingsModule {}
