import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { answerOf } from '../contract/answers.js';
import {
  type EventResponse,
  OrderEventResponse,
  PayoutEventResponse,
  TEST_EVENT,
  TestEventResponse,
  TestedEndpointResponse,
} from '../contract/event.response.js';
import { type OrderResponse, orderResponse } from '../contract/order.response.js';
import { refundResponse } from '../contract/refund.response.js';
import { payoutResponse } from '../contract/payout.response.js';
import type { Delivery } from '../database/notifications/delivery.entity.js';
import type { EventWithSubject } from '../database/notifications/event.rows.js';
import type { OrderWithPayment } from '../database/orders/order.entity.js';
import { ProviderRegistry } from '../providers/provider-registry.js';

type Test = Pick<Delivery, 'id' | 'createdAt' | 'endpointId' | 'mode'>;

/** Renders events in the newest API version. */
@Injectable()
export class EventRenderer {
  constructor(
    private readonly config: Config,
    private readonly providers: ProviderRegistry,
  ) {}

  /** Event as in the feed and in webhooks; type, timestamp and data follow Standard Webhooks. */
  event(happened: EventWithSubject): EventResponse {
    const { id, type, createdAt, sequence } = happened.event;
    const what = { id, type, timestamp: createdAt.toISOString(), sequence };
    return 'payout' in happened
      ? answerOf(PayoutEventResponse, { ...what, data: payoutResponse(happened.payout) })
      : answerOf(OrderEventResponse, {
          ...what,
          data: this.order(happened.order),
          ...(happened.refund ? { refund: refundResponse(happened.refund) } : {}),
        });
  }

  /** Test event without an order, so that no program takes it for one. */
  test({ id, createdAt, endpointId, mode }: Test): TestEventResponse {
    const data = answerOf(TestedEndpointResponse, { endpointId: endpointId!, mode });
    const timestamp = createdAt.toISOString();
    return answerOf(TestEventResponse, { id, type: TEST_EVENT, timestamp, data });
  }

  private order(order: OrderWithPayment): OrderResponse {
    return orderResponse(order, this.config, this.providers);
  }
}
