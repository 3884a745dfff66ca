import type { SchemaObject } from '@nestjs/swagger';
import { API_VERSIONS } from '../../common/api-version.js';
import { PAGE_LIMIT } from '../../common/query.js';
import { DELIVERY_STATUSES } from '../../database/entities/delivery.entity.js';
import { EVENT_TYPES } from '../../database/entities/event.entity.js';
import { DISABLED_REASONS } from '../../database/entities/webhook-endpoint.entity.js';
import type {
  AttemptResponse,
  DeliveryPage,
  DeliveryResponse,
  EndpointResponse,
  ResendResponse,
} from '../../notifications/webhooks/dto/webhook-endpoint.response.js';
import {
  complete,
  flag,
  id,
  link,
  moment,
  oneOf,
  orNull,
  type Properties,
  schemaRef,
  text,
} from './schema-parts.js';

const webhookEndpoint = {
  id: id('The service’s own name for the endpoint.'),
  mode: oneOf(['test', 'live'], 'Events of test mode, or of live mode.'),
  url: link('Where events are posted.'),
  description: orNull(text('As sent.')),
  eventTypes: {
    type: 'array',
    items: { type: 'string', enum: [...EVENT_TYPES] },
    description: 'What the endpoint receives; everything when empty.',
  },
  apiVersion: oneOf(API_VERSIONS, 'Contract in which orders are written.'),
  enabled: flag('Whether events are posted.'),
  disabledReason: orNull(
    oneOf(
      DISABLED_REASONS,
      'Who switched the endpoint off: you; the receiver, by answering 410; or five days of failures.',
    ),
  ),
  failingSince: orNull(moment('The first failure since the last success.')),
  previousSecretUntil: orNull(moment('Until when the former secret signs too.')),
  createdAt: moment('When the endpoint was created.'),
  updatedAt: moment('When it was changed last.'),
} satisfies Properties<EndpointResponse>;

const webhookDelivery = {
  id: id('The service’s own name for the delivery.'),
  webhookId: id('The header `webhook-id`: the event, by which receivers know a repeat.'),
  type: text('The event’s type, or `webhook.test`.'),
  txid: orNull(id('The order that the event is about; null for a payout or a test event.')),
  resent: flag('Whether somebody asked for the event once more.'),
  status: oneOf(
    DELIVERY_STATUSES,
    '`pending` is tried again; `failed` was given up; `cancelled` lost its endpoint.',
  ),
  attemptCount: { type: 'integer', minimum: 0, description: 'Attempts that ended.' },
  createdAt: moment('When the delivery was queued.'),
  nextAttemptAt: orNull(moment('When the next attempt is due.')),
  completedAt: orNull(moment('When the delivery ended.')),
} satisfies Properties<DeliveryResponse>;

const webhookAttempt = {
  number: { type: 'integer', minimum: 1, description: 'Counts the attempts of the delivery.' },
  startedAt: moment('When the attempt began.'),
  durationMs: { type: 'integer', minimum: 0, description: 'How long it took, in milliseconds.' },
  succeeded: flag('Whether the receiver answered 2xx.'),
  statusCode: orNull({
    type: 'integer',
    description: 'The HTTP status of the answer; null when none came.',
  }),
  error: orNull(text('Why the attempt failed.')),
  requestHead: orNull(text('What was sent before the body, at most 4 kB.')),
  responseHead: orNull(
    text('What was answered, in test mode with the first 1 kB of the body; at most 4 kB.'),
  ),
} satisfies Properties<AttemptResponse>;

const webhookDeliveryPage = {
  data: { type: 'array', maxItems: PAGE_LIMIT.max, items: schemaRef('WebhookDelivery') },
  next: orNull(id('What to pass as `after` for the next page; null when this one is empty.')),
  hasMore: flag('Whether there are older deliveries.'),
} satisfies Properties<DeliveryPage>;

const webhookResend = {
  queued: { type: 'integer', minimum: 0, description: 'Deliveries that were queued.' },
  hasMore: flag('Whether the range has more: repeat the request.'),
} satisfies Properties<ResendResponse>;

/** What the operations on webhook endpoints answer with. */
export const WEBHOOK_SCHEMAS = {
  WebhookEndpoint: complete('Where events go.', webhookEndpoint),
  WebhookEndpointList: complete('All endpoints of a mode.', {
    data: { type: 'array', items: schemaRef('WebhookEndpoint') },
  }),
  WebhookEndpointWithSecret: complete('Where events go, and how to verify them.', {
    ...webhookEndpoint,
    secret: text('Verifies the signatures, in the form of Standard Webhooks. Shown only now.'),
  }),
  WebhookDelivery: complete('One event on its way to one endpoint.', webhookDelivery),
  WebhookDeliveryWithAttempts: complete('A delivery and how it went.', {
    ...webhookDelivery,
    attempts: {
      type: 'array',
      items: schemaRef('WebhookAttempt'),
      description: 'The oldest first.',
    },
  }),
  WebhookAttempt: complete('One attempt to deliver.', webhookAttempt),
  WebhookDeliveryPage: complete('A part of the log.', webhookDeliveryPage),
  WebhookResend: complete('What was queued again.', webhookResend),
} satisfies Record<string, SchemaObject>;
