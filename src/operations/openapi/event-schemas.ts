import type { SchemaObject } from '@nestjs/swagger';
import { PAGE_LIMIT } from '../../common/query.js';
import { ORDER_EVENT_TYPES, PAYOUT_EVENT_TYPES } from '../../database/entities/event.entity.js';
import type { EventPageResponse, EventResponse } from '../../notifications/dto/event.response.js';
import { TEST_EVENT } from '../../notifications/webhooks/test-event.js';
import {
  complete,
  count,
  flag,
  id,
  moment,
  oneOf,
  orNull,
  type Properties,
  schemaRef,
} from './schema-parts.js';

const timestamp = moment('When it happened.');
const typeOf = (types: readonly string[]): SchemaObject => oneOf(types, 'What happened.');

const event = (types: readonly string[], data: 'Order' | 'Payout'): Properties<EventResponse> => ({
  id: id('Names the event everywhere; webhooks have it in the header `webhook-id`.'),
  type: typeOf(types),
  timestamp,
  sequence: {
    ...count('The event’s number among those of its order or payout, without gaps.'),
    minimum: 1,
  },
  data: schemaRef(data),
});

const eventPage = {
  data: { type: 'array', maxItems: PAGE_LIMIT.max, items: schemaRef('Event') },
  next: orNull(id('What to pass as `after` next time; null while there are no events at all.')),
  hasMore: flag('Whether there is more to read now.'),
} satisfies Properties<EventPageResponse>;

const refsOf = (types: readonly string[], name: string): [string, string][] =>
  types.map((type) => [type, schemaRef(name).$ref]);

/** What the feed answers with, and what webhooks bring. */
export const EVENT_SCHEMAS = {
  Event: {
    description: 'One fact about an order or a payout.',
    oneOf: [schemaRef('OrderEvent'), schemaRef('PayoutEvent')],
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries([
        ...refsOf(ORDER_EVENT_TYPES, 'OrderEvent'),
        ...refsOf(PAYOUT_EVENT_TYPES, 'PayoutEvent'),
      ]),
    },
  },
  OrderEvent: complete(
    'One fact about an order, with the order as it was right after it.',
    event(ORDER_EVENT_TYPES, 'Order'),
  ),
  PayoutEvent: complete(
    'One fact about a payout, with the payout as it was right after it.',
    event(PAYOUT_EVENT_TYPES, 'Payout'),
  ),
  EventPage: complete('A part of the feed.', eventPage),
  OrderWebhook: complete('What is posted about an order.', {
    type: typeOf([...ORDER_EVENT_TYPES, TEST_EVENT]),
    timestamp,
    data: schemaRef('Order'),
  }),
  PayoutWebhook: complete('What is posted about a payout.', {
    type: typeOf(PAYOUT_EVENT_TYPES),
    timestamp,
    data: schemaRef('Payout'),
  }),
} satisfies Record<string, SchemaObject>;
