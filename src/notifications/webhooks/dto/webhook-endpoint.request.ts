import { IsString } from 'class-validator';
import {
  RequestBody,
  Flag,
  fieldType,
  Moment,
  OPTIONAL,
  Nested,
  Version,
  IntegerInRange,
} from '../../../contract/fields.js';
import { OptionalFieldRequest } from '../../../contract/optional-field.js';
import { type Fault, Validate, saysType, text, wrongType } from '../../../contract/rules.js';
import { EVENT_TYPES, type EventType } from '../../../database/notifications/event.entity.js';
import type { ApiVersion } from '../../../common/api-version.js';
import { TARGET_LENGTH_MAX } from '../webhook-target.js';

const DESCRIPTION_MAX = 255;
/** Hours for which the previous secret signs, too. */
export const OVERLAP_HOURS = { min: 0, max: 168, standard: 24 } as const;

/** Validates the format only: whether the target is allowed requires a DNS lookup. */
const Target = fieldType(
  {
    type: 'string',
    format: 'uri',
    maxLength: TARGET_LENGTH_MAX,
    description:
      'Where events are posted: https on port 443 or 8443 of a host that has public addresses only.',
  },
  IsString(saysType('a string')),
);

function fewTypes(value: unknown): Fault | undefined {
  if (!Array.isArray(value)) return wrongType('a list of event types');
  return value.length > EVENT_TYPES.length
    ? { code: 'too_long', detail: 'Name each event type once at most.' }
    : undefined;
}

const knownTypes = (value: unknown): readonly Fault[] =>
  (value as unknown[]).flatMap((type, i) =>
    EVENT_TYPES.some((known) => known === type)
      ? []
      : [{ code: 'wrong_format', detail: `Use one of ${EVENT_TYPES.join(', ')}.`, at: `/${i}` }],
  );

const EventTypes = fieldType(
  {
    type: 'array',
    maxItems: EVENT_TYPES.length,
    items: { type: 'string', enum: [...EVENT_TYPES] },
    description:
      'What the endpoint receives; all events when the list is empty, those of payouts only for who may read them.',
  },
  Validate(fewTypes, knownTypes),
);

/** Distinguishes endpoints for people. */
const Description = fieldType(
  {
    type: 'string',
    maxLength: DESCRIPTION_MAX,
    description: 'For your own eyes. Empty text removes it.',
  },
  Validate(text({ max: DESCRIPTION_MAX, name: true })),
);

const OF_SHOP =
  'Only events of orders that have this among their optional fields, and none of payouts: one endpoint for each shop. All events when null.';

@RequestBody('CreateWebhookEndpoint', 'Where events shall go.')
export class CreateWebhookEndpointRequest {
  @Target()
  url: string;

  @Description(OPTIONAL)
  description?: string;

  @EventTypes(OPTIONAL)
  eventTypes?: EventType[];

  @Nested(OptionalFieldRequest, OF_SHOP, { optional: true, since: '1.3' })
  optionalField?: OptionalFieldRequest;

  @Version('Contract in which orders are written; that of this request when left out.', OPTIONAL)
  apiVersion?: ApiVersion;
}

@RequestBody('ChangeWebhookEndpoint', 'What is left out stays as it is.')
export class ChangeWebhookEndpointRequest {
  @Target(OPTIONAL)
  url?: string;

  @Description(OPTIONAL)
  description?: string;

  @EventTypes(OPTIONAL)
  eventTypes?: EventType[];

  @Nested(OptionalFieldRequest, OF_SHOP, { optional: true, orNull: true, since: '1.3' })
  optionalField?: OptionalFieldRequest | null;

  @Version('Contract in which orders are written.', OPTIONAL)
  apiVersion?: ApiVersion;

  @Flag('False keeps new events away; true also ends the record of failures.', OPTIONAL)
  enabled?: boolean;
}

@RequestBody('RollSecret', 'How the change to a new secret goes.')
export class RollSecretRequest {
  @IntegerInRange(OVERLAP_HOURS, 'Hours for which the former secret signs too.', OPTIONAL, {
    unit: 'hours',
  })
  overlapHours?: number;
}

@RequestBody('ResendEvents', 'Which events to send again.')
export class ResendEventsRequest {
  @Moment('Events from this moment on; those older than 60 days are left out.')
  from: string;

  @Moment('Events before this moment; up to now when left out.', OPTIONAL)
  to?: string;

  @Flag('Also events that the endpoint has received.', { optional: true, default: false })
  includeDelivered?: boolean;
}
