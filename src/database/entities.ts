import { ApiKey } from './entities/api-key.entity.js';
import { DeprecatedCall } from './entities/deprecated-call.entity.js';
import { IdempotencyRecord } from './entities/idempotency-record.entity.js';
import { Merchant } from './entities/merchant.entity.js';
import { OrderEvent } from './entities/order-event.entity.js';
import { Order } from './entities/order.entity.js';
import { Payment } from './entities/payment.entity.js';
import { ProviderAccount } from './entities/provider-account.entity.js';
import { ProviderEvent } from './entities/provider-event.entity.js';
import { SandboxTransaction } from './entities/sandbox-transaction.entity.js';

export const ENTITIES = [
  ApiKey,
  DeprecatedCall,
  IdempotencyRecord,
  Merchant,
  Order,
  OrderEvent,
  Payment,
  ProviderAccount,
  ProviderEvent,
  SandboxTransaction,
];
