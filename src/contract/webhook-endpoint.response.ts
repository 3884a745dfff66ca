import { type Mode, MODES } from '../database/merchants/api-key.entity.js';
import { EVENT_TYPES, type EventType } from '../database/notifications/event.entity.js';
import {
  DISABLED_REASONS,
  type DisabledReason,
  type WebhookEndpoint,
} from '../database/notifications/webhook-endpoint.entity.js';
import type { ApiVersion } from '../common/api-version.js';
import { Answer, answerOf, ListOf, SomeOf } from './answers.js';
import { Flag, Link, Moment, OneOf, OR_NULL, Nested, Text, Uuid, Version } from './fields.js';
import { OptionalFieldResponse } from './optional-field.js';

@Answer('WebhookEndpoint', 'Where events go.')
export class WebhookEndpointResponse {
  @Uuid('The service’s own name for the endpoint.') id: string;
  @OneOf(MODES, 'Events of test mode, or of live mode.') mode: Mode;
  @Link('Where events are posted.') url: string;
  @Text('As sent.', OR_NULL) description: string | null;
  @SomeOf(EVENT_TYPES, 'What the endpoint receives; everything when empty.')
  eventTypes: readonly EventType[];
  @Nested(
    OptionalFieldResponse,
    'The orders that it hears of: those that have this. Null for all orders, and for payouts.',
    OR_NULL,
    { since: '1.3' },
  )
  optionalField: OptionalFieldResponse | null;
  @Version('Contract in which orders are written.') apiVersion: ApiVersion;
  @Flag('Whether events are posted.') enabled: boolean;
  @OneOf(
    DISABLED_REASONS,
    'Who switched the endpoint off: you; the receiver, by answering 410; or five days of failures.',
    OR_NULL,
  )
  disabledReason: DisabledReason | null;
  @Moment('The first failure since the last success.', OR_NULL) failingSince: string | null;
  @Moment('Until when the former secret signs too.', OR_NULL) previousSecretUntil: string | null;
  @Moment('When the endpoint was created.') createdAt: string;
  @Moment('When it was changed last.') updatedAt: string;
}

const optionalFieldResponse = ({
  fieldKey,
  fieldValue,
}: WebhookEndpoint): OptionalFieldResponse | null =>
  fieldKey === null || fieldValue === null
    ? null
    : answerOf(OptionalFieldResponse, { key: fieldKey, value: fieldValue });

/** Allow-list: secrets are returned only by the operation that creates them. */
export const webhookEndpointResponse = (endpoint: WebhookEndpoint): WebhookEndpointResponse =>
  answerOf(WebhookEndpointResponse, {
    id: endpoint.id,
    mode: endpoint.mode,
    url: endpoint.url,
    description: endpoint.description,
    eventTypes: endpoint.eventTypes,
    optionalField: optionalFieldResponse(endpoint),
    apiVersion: endpoint.apiVersion,
    enabled: endpoint.enabled,
    disabledReason: endpoint.disabledReason,
    failingSince: endpoint.failingSince?.toISOString() ?? null,
    previousSecretUntil: endpoint.previousSecretUntil?.toISOString() ?? null,
    createdAt: endpoint.createdAt.toISOString(),
    updatedAt: endpoint.updatedAt.toISOString(),
  });

@Answer('WebhookEndpointWithSecret', 'Where events go, and how to verify them.')
export class WebhookEndpointWithSecretResponse extends WebhookEndpointResponse {
  @Text('Verifies the signatures, in the form of Standard Webhooks. Shown only now.')
  secret: string;
}

export const webhookEndpointWithSecretResponse = (
  endpoint: WebhookEndpoint,
): WebhookEndpointWithSecretResponse =>
  answerOf(WebhookEndpointWithSecretResponse, {
    ...webhookEndpointResponse(endpoint),
    secret: endpoint.secret,
  });

@Answer('WebhookEndpointList', 'All endpoints of a mode.')
export class WebhookEndpointListResponse {
  @ListOf(WebhookEndpointResponse) data: readonly WebhookEndpointResponse[];
}
