import { Module } from '@nestjs/common';
import { MerchantsModule } from '../merchants/merchants.module.js';
import { ProvidersModule } from '../providers/providers.module.js';
import { AttemptMetrics } from './attempt-metrics.js';
import { DeliveryLogPurge } from './delivery-log-purge.js';
import { DeliverySignal } from './delivery-signal.js';
import { EventRenderer } from './event-renderer.js';
import { EventsController } from './events.controller.js';
import { EventsService } from './events.service.js';
import { MailComposer } from './mail/mail-composer.js';
import { MailWorker } from './mail/mail-worker.js';
import { MailModule } from './mail/mail.module.js';
import { Mailer } from './mail/mailer.js';
import { SystemMailer } from './mail/system-mailer.js';
import { RecipientConsentService } from './recipients/recipient-consent.service.js';
import { RecipientPageController } from './recipients/recipient-page.controller.js';
import { RecipientsController } from './recipients/recipients.controller.js';
import { RecipientsService } from './recipients/recipients.service.js';
import { AttemptLog } from './webhooks/attempt-log.js';
import { EndpointNotifier } from './webhooks/endpoint-notifier.js';
import { Resolver, SystemResolver } from './webhooks/resolver.js';
import { TargetGuard } from './webhooks/target-guard.js';
import { WebhookDeliveriesController } from './webhooks/webhook-deliveries.controller.js';
import { WebhookDeliveriesService } from './webhooks/webhook-deliveries.service.js';
import { WebhookEndpointsController } from './webhooks/webhook-endpoints.controller.js';
import { WebhookEndpointsService } from './webhooks/webhook-endpoints.service.js';
import { WebhookSender } from './webhooks/webhook-sender.js';
import { WebhookWorker } from './webhooks/webhook-worker.js';

const MAILS = [
  SystemMailer,
  MailComposer,
  Mailer,
  MailWorker,
  RecipientConsentService,
  RecipientsService,
];

const WEBHOOKS = [
  { provide: Resolver, useClass: SystemResolver },
  AttemptLog,
  EndpointNotifier,
  TargetGuard,
  WebhookDeliveriesService,
  WebhookEndpointsService,
  WebhookSender,
  WebhookWorker,
];

/** Notifies merchants: event feed, e-mail and webhooks. */
@Module({
  imports: [MailModule, MerchantsModule, ProvidersModule],
  // In the order of the API reference.
  controllers: [
    EventsController,
    WebhookEndpointsController,
    WebhookDeliveriesController,
    RecipientsController,
    RecipientPageController,
  ],
  providers: [
    DeliverySignal,
    DeliveryLogPurge,
    AttemptMetrics,
    EventRenderer,
    EventsService,
    ...MAILS,
    ...WEBHOOKS,
  ],
  exports: [
    DeliverySignal,
    AttemptMetrics,
    SystemMailer,
    RecipientsService,
    WebhookDeliveriesService,
    WebhookEndpointsService,
  ],
})
export class NotificationsModule {}
