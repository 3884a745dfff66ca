import { ApiProperty, type ApiPropertyOptions, ApiSchema } from '@nestjs/swagger';
import { API_VERSIONS, type ApiVersion } from '../../../common/api-version.js';
import { Rule } from '../../../common/validation.js';
import { EVENT_TYPES, type EventType } from '../../../database/entities/event.entity.js';
import { TARGET_LENGTH_MAX } from '../webhook-target.js';
import * as rules from './rules.js';

const URL_FIELD = {
  type: 'string',
  format: 'uri',
  maxLength: TARGET_LENGTH_MAX,
  description:
    'Where events are posted: https on port 443 or 8443 of a host that has public addresses only.',
} as const;
const DESCRIPTION_FIELD = {
  type: 'string',
  nullable: true,
  required: false,
  maxLength: rules.DESCRIPTION_MAX,
  description: 'For your own eyes. Empty text removes it.',
} as const;
const EVENT_TYPES_FIELD: ApiPropertyOptions = {
  type: 'array',
  nullable: true,
  required: false,
  maxItems: EVENT_TYPES.length,
  items: { type: 'string', enum: [...EVENT_TYPES] },
  description:
    'What the endpoint receives; all events when the list is empty, those of payouts only for who may read them.',
};
const API_VERSION_FIELD = {
  type: 'string',
  nullable: true,
  required: false,
  enum: [...API_VERSIONS],
} as const;

@ApiSchema({ name: 'CreateWebhookEndpoint', description: 'Where events shall go.' })
export class CreateWebhookEndpointRequest {
  @ApiProperty(URL_FIELD)
  @Rule(rules.required(rules.urlText))
  url: string;

  @ApiProperty(DESCRIPTION_FIELD)
  @Rule(rules.optional(rules.description))
  description?: string;

  @ApiProperty(EVENT_TYPES_FIELD)
  @Rule(rules.optional(rules.eventTypes))
  eventTypes?: EventType[];

  @ApiProperty({
    ...API_VERSION_FIELD,
    description: 'Contract in which orders are written; that of this request when left out.',
  })
  @Rule(rules.optional(rules.apiVersion))
  apiVersion?: ApiVersion;
}

@ApiSchema({ name: 'ChangeWebhookEndpoint', description: 'What is left out stays as it is.' })
export class ChangeWebhookEndpointRequest {
  @ApiProperty({ ...URL_FIELD, nullable: true, required: false })
  @Rule(rules.optional(rules.urlText))
  url?: string;

  @ApiProperty(DESCRIPTION_FIELD)
  @Rule(rules.optional(rules.description))
  description?: string;

  @ApiProperty(EVENT_TYPES_FIELD)
  @Rule(rules.optional(rules.eventTypes))
  eventTypes?: EventType[];

  @ApiProperty({ ...API_VERSION_FIELD, description: 'Contract in which orders are written.' })
  @Rule(rules.optional(rules.apiVersion))
  apiVersion?: ApiVersion;

  @ApiProperty({
    type: 'boolean',
    nullable: true,
    required: false,
    description: 'False keeps new events away; true also ends the record of failures.',
  })
  @Rule(rules.optional(rules.flag))
  enabled?: boolean;
}

@ApiSchema({ name: 'RollSecret', description: 'How the change to a new secret goes.' })
export class RollSecretRequest {
  @ApiProperty({
    type: 'integer',
    nullable: true,
    required: false,
    minimum: rules.OVERLAP_HOURS.min,
    maximum: rules.OVERLAP_HOURS.max,
    default: rules.OVERLAP_HOURS.standard,
    description: 'Hours for which the former secret signs too.',
  })
  @Rule(rules.optional(rules.overlapHours))
  overlapHours?: number;
}

@ApiSchema({ name: 'ResendEvents', description: 'Which events to send again.' })
export class ResendEventsRequest {
  @ApiProperty({
    type: 'string',
    format: 'date-time',
    description: 'Events from this moment on; those older than 60 days are left out.',
  })
  @Rule(rules.required(rules.moment))
  from: string;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    required: false,
    description: 'Events before this moment; up to now when left out.',
  })
  @Rule(rules.optional(rules.moment))
  to?: string;

  @ApiProperty({
    type: 'boolean',
    nullable: true,
    required: false,
    default: false,
    description: 'Also events that the endpoint has received.',
  })
  @Rule(rules.optional(rules.flag))
  includeDelivered?: boolean;
}
