import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { answerOf } from '../contract/answers.js';
import {
  type EventResponse,
  OrderEventResponse,
  OrderWebhookResponse,
  PayoutEventResponse,
  PayoutWebhookResponse,
} from '../contract/event.response.js';
import { type OrderResponse, orderResponse } from '../contract/order.response.js';
import { payoutResponse } from '../contract/payout.response.js';
import type { EventWithSubject } from '../database/notifications/event.rows.js';
import type { OrderWithPayment } from '../database/orders/order.entity.js';
import type { PublicPayout } from '../database/payouts/payout.entity.js';
import { ProviderRegistry } from '../providers/provider-registry.js';

/** The order or payout that something happened to, as it was then. */
type Subject = { readonly order: OrderWithPayment } | { readonly payout: PublicPayout };
type Happened = Subject & {
  readonly event: { readonly type: string; readonly createdAt: Date };
};

/** Writes events as receivers read them, in the newest version of the contract. */
@Injectable()
export class EventRenderer {
  constructor(
    private readonly config: Config,
    private readonly providers: ProviderRegistry,
  ) {}

  /** The body of a webhook, as Standard Webhooks wants it. */
  payload(happened: Happened): OrderWebhookResponse | PayoutWebhookResponse {
    const { type, createdAt } = happened.event;
    const what = { type, timestamp: createdAt.toISOString() };
    return 'payout' in happened
      ? answerOf(PayoutWebhookResponse, { ...what, data: payoutResponse(happened.payout) })
      : answerOf(OrderWebhookResponse, { ...what, data: this.order(happened.order) });
  }

  /** One event of the feed: what a webhook tells, and what webhooks have in their headers. */
  event(happened: EventWithSubject): EventResponse {
    const { id, type, createdAt, sequence } = happened.event;
    const what = { id, type, timestamp: createdAt.toISOString(), sequence };
    return 'payout' in happened
      ? answerOf(PayoutEventResponse, { ...what, data: payoutResponse(happened.payout) })
      : answerOf(OrderEventResponse, { ...what, data: this.order(happened.order) });
  }

  private order(order: OrderWithPayment): OrderResponse {
    return orderResponse(order, this.config, this.providers);
  }
}
