import { ApiKey } from './entities/api-key.entity.js';
import { Delivery } from './entities/delivery.entity.js';
import { DeliveryAttempt } from './entities/delivery-attempt.entity.js';
import { DeprecatedCall } from './entities/deprecated-call.entity.js';
import { EventFeed } from './entities/event-feed.entity.js';
import { IdempotencyRecord } from './entities/idempotency-record.entity.js';
import { Merchant } from './entities/merchant.entity.js';
import { NotificationRecipient } from './entities/notification-recipient.entity.js';
import { OrderEvent } from './entities/order-event.entity.js';
import { Order } from './entities/order.entity.js';
import { Payment } from './entities/payment.entity.js';
import { ProviderAccount } from './entities/provider-account.entity.js';
import { ProviderEvent } from './entities/provider-event.entity.js';
import { SandboxTransaction } from './entities/sandbox-transaction.entity.js';
import { WebhookEndpoint } from './entities/webhook-endpoint.entity.js';

export const ENTITIES = [
  ApiKey,
  Delivery,
  DeliveryAttempt,
  DeprecatedCall,
  EventFeed,
  IdempotencyRecord,
  Merchant,
  NotificationRecipient,
  Order,
  OrderEvent,
  Payment,
  ProviderAccount,
  ProviderEvent,
  SandboxTransaction,
  WebhookEndpoint,
];
