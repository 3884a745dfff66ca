import {
  type EventType,
  ORDER_EVENT_TYPES,
  PAYOUT_EVENT_TYPES,
} from '../database/notifications/event.entity.js';
import { type Mode, MODES } from '../database/merchants/api-key.entity.js';
import { PAGE_LIMIT } from '../http/query.js';
import { Answer, OneOfTypes, InPlace, ListOf } from './answers.js';
import { Count, Flag, Moment, OneOf, OPTIONAL, OR_NULL, Nested, Uuid } from './fields.js';
import { OrderResponse } from './order.response.js';
import { PayoutResponse } from './payout.response.js';
import { RefundResponse } from './refund.response.js';

/** Test event without an order, to check an endpoint. */
export const TEST_EVENT = 'webhook.test';

const Id = Uuid('Names the event everywhere; webhooks have it in the header `webhook-id` too.');
const Type = (types: readonly string[]) => OneOf(types, 'What happened.');
const Timestamp = Moment('When it happened.');
const Sequence = Count(
  'The event’s number among those of its order or payout, from 1 and without gaps. Of two events the one with the higher number is the newer: keep its `data`.',
  { min: 1 },
);

@Answer('OrderEvent', 'One fact about an order, with the order as it was right after it.')
export class OrderEventResponse {
  @Id id: string;
  @Type(ORDER_EVENT_TYPES) type: EventType;
  @Timestamp timestamp: string;
  @Sequence sequence: number;
  @InPlace(OrderResponse) data: OrderResponse;
  @Nested(RefundResponse, 'The refund right after it; only in refund events.', OPTIONAL)
  refund?: RefundResponse;
}

@Answer('PayoutEvent', 'One fact about a payout, with the payout as it was right after it.')
export class PayoutEventResponse {
  @Id id: string;
  @Type(PAYOUT_EVENT_TYPES) type: EventType;
  @Timestamp timestamp: string;
  @Sequence sequence: number;
  @Nested(PayoutResponse) data: PayoutResponse;
}

@Answer('TestedEndpoint', 'What a test event is about.')
export class TestedEndpointResponse {
  @Uuid('The endpoint that is tested.') endpointId: string;
  @OneOf(MODES, 'The endpoint’s mode.') mode: Mode;
}

@Answer('TestEvent', 'A test of the endpoint, without an order.')
export class TestEventResponse {
  @Uuid('Names the test; also in the header `webhook-id`.') id: string;
  @Type([TEST_EVENT]) type: typeof TEST_EVENT;
  @Moment('When the test was asked for.') timestamp: string;
  @Nested(TestedEndpointResponse) data: TestedEndpointResponse;
}

@OneOfTypes(
  'Event',
  'One fact about an order or a payout.',
  'type',
  [OrderEventResponse, ORDER_EVENT_TYPES],
  [PayoutEventResponse, PAYOUT_EVENT_TYPES],
)
class AnyEvent {}

export type EventResponse = OrderEventResponse | PayoutEventResponse;

@Answer('EventPage', 'A part of the feed.')
export class EventPageResponse {
  @ListOf(AnyEvent, { max: PAGE_LIMIT.max }) data: readonly EventResponse[];
  @Uuid(
    'What to pass as `after` next time; null while there are no events at all, and may be passed then too.',
    OR_NULL,
  )
  next: string | null;
  @Flag('Whether there is more to read now.') hasMore: boolean;
}
