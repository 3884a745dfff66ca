import type { HeaderObject, ParameterObject, ReferenceObject } from '@nestjs/swagger';
import { API_VERSIONS } from '../../common/api-version.js';
import { PAGE_LIMIT } from '../../common/query.js';
import { DELIVERY_STATUSES } from '../../database/entities/delivery.entity.js';
import { EVENT_TYPES } from '../../database/entities/event.entity.js';
import { PAYOUT_STATUSES } from '../../database/entities/payout.entity.js';
import { LATEST } from '../../notifications/dto/event-query.js';
import { NEWEST } from '../../common/http.js';
import { IDEMPOTENCY_KEY_LENGTH_MAX } from '../../common/idempotency-key.js';
import type { SharedParameter } from '../../common/operation.decorator.js';
import { PAYOUT_TRANSFERS_MAX } from '../../payouts/reservations.js';
import { ORDER_MERCHANT_ID } from '../../status/order-selector.decorator.js';

/** Bare without spaces, or quoted. */
const KEY_PATTERN = `^([!#-~][!-~]{0,${IDEMPOTENCY_KEY_LENGTH_MAX - 1}}|"[ !#-\\[\\]-~]{1,${IDEMPOTENCY_KEY_LENGTH_MAX}}")$`;
const ID = { type: 'string', format: 'uuid' };
const TXID = ID;

/** What callers send beside a body. */
export const PARAMETERS: Readonly<Record<SharedParameter, ParameterObject>> = {
  ApiVersion: {
    name: 'Api-Version',
    in: 'header',
    description: 'Version of the contract; the one pinned on the key when left out.',
    schema: { type: 'string', enum: [...API_VERSIONS] },
  },
  DeliveryAfter: {
    name: 'after',
    in: 'query',
    description: 'The `next` of the page before: only deliveries made before it.',
    schema: ID,
  },
  DeliveryIdOrNewest: {
    name: 'deliveryId',
    in: 'path',
    required: true,
    description: 'The delivery, or `newest` for the one made last.',
    schema: { anyOf: [ID, { enum: [NEWEST] }] },
  },
  DeliveryStatus: {
    name: 'status',
    in: 'query',
    description: 'Only deliveries in this status.',
    schema: { type: 'string', enum: [...DELIVERY_STATUSES] },
  },
  EndpointId: {
    name: 'id',
    in: 'path',
    required: true,
    description: 'The webhook endpoint.',
    schema: ID,
  },
  EndpointIdOrNewest: {
    name: 'id',
    in: 'path',
    required: true,
    description: 'The webhook endpoint, or `newest` for the one made last.',
    schema: { anyOf: [ID, { enum: [NEWEST] }] },
  },
  EventAfter: {
    name: 'after',
    in: 'query',
    description:
      'The `next` of the page before, or the id of any event; `latest` for the end of the feed. Its beginning when left out.',
    schema: { anyOf: [{ type: 'string', format: 'uuid' }, { enum: [LATEST] }] },
  },
  EventTypes: {
    name: 'type',
    in: 'query',
    description: 'Only events of these types, separated by commas; all when left out.',
    style: 'form',
    explode: false,
    schema: { type: 'array', minItems: 1, items: { type: 'string', enum: [...EVENT_TYPES] } },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A name for this request, of printable ASCII and best a random UUID, bare or in double quotes. A repeat with the same key gets the first answer.',
    schema: { type: 'string', pattern: KEY_PATTERN },
  },
  Limit: {
    name: 'limit',
    in: 'query',
    description: 'How many entries the page has at most.',
    schema: {
      type: 'integer',
      minimum: PAGE_LIMIT.min,
      maximum: PAGE_LIMIT.max,
      default: PAGE_LIMIT.standard,
    },
  },
  LineAfter: {
    name: 'after',
    in: 'query',
    description: 'The `next` of the page before: only lines behind this number.',
    schema: { type: 'integer', minimum: 0, maximum: PAYOUT_TRANSFERS_MAX },
  },
  OrderMerchantId: {
    name: 'orderMerchantId',
    in: 'query',
    description: 'Your own name for the order.',
    schema: { type: 'string', pattern: ORDER_MERCHANT_ID.source },
  },
  OrderTransactionId: {
    name: 'orderTransactionId',
    in: 'query',
    description: 'The `txid` of the order.',
    schema: TXID,
  },
  PayoutAfter: {
    name: 'after',
    in: 'query',
    description: 'The `next` of the page before: only payouts made before it.',
    schema: ID,
  },
  PayoutIdOrNewest: {
    name: 'id',
    in: 'path',
    required: true,
    description: 'The payout, or `newest` for the one made last.',
    schema: { anyOf: [ID, { enum: [NEWEST] }] },
  },
  PayoutStatuses: {
    name: 'status',
    in: 'query',
    description: 'Only payouts in these statuses, separated by commas; all when left out.',
    style: 'form',
    explode: false,
    schema: { type: 'array', minItems: 1, items: { type: 'string', enum: [...PAYOUT_STATUSES] } },
  },
  RecipientId: {
    name: 'id',
    in: 'path',
    required: true,
    description: 'The recipient.',
    schema: { type: 'string', format: 'uuid' },
  },
  RecipientIdOrNewest: {
    name: 'id',
    in: 'path',
    required: true,
    description: 'The recipient, or `newest` for the one made last.',
    schema: { anyOf: [{ type: 'string', format: 'uuid' }, { enum: [NEWEST] }] },
  },
  Txid: {
    name: 'txid',
    in: 'path',
    required: true,
    description: 'The service’s own name for the order.',
    schema: TXID,
  },
  TxidOrNewest: {
    name: 'txid',
    in: 'path',
    required: true,
    description: 'The service’s own name for the order, or `newest` for the one made last.',
    schema: { anyOf: [TXID, { enum: [NEWEST] }] },
  },
  TxidQuery: {
    name: 'txid',
    in: 'query',
    description: 'The service’s own name for the order.',
    schema: TXID,
  },
};

const header = (description: string, schema: object = {}): HeaderObject => ({
  description,
  schema: { type: 'string', ...schema },
});

/** What the service answers beside a body. */
export const HEADERS = {
  'Api-Version': header('Version of the contract in which the answer is written.', {
    enum: [...API_VERSIONS],
  }),
  'X-Request-Id': header('Name of this request in the service’s log.', { format: 'uuid' }),
  Location: header('Path of the new order.', { format: 'uri-reference' }),
  'Idempotent-Replayed': header('There when an earlier request was answered so.', {
    const: 'true',
  }),
  'RateLimit-Policy': header('The limit: `q` requests at once, refilled within `w` seconds.'),
  RateLimit: header('What is left: `r` requests; full again in `t` seconds.'),
  'Retry-After': header('Seconds to wait before the next try.', { pattern: '^[0-9]+$' }),
  'WWW-Authenticate': header('How to sign in.'),
  Deprecation: header('Since when the operation is deprecated, as `@` and Unix time (RFC 9745).'),
  Sunset: header('Until when the operation answers at least (RFC 8594).'),
  Link: header('The changelog (`deprecation`) and the operation to use (`successor-version`).'),
} as const satisfies Record<string, HeaderObject>;

export type HeaderName = keyof typeof HEADERS;

export const headerRefs = (names: readonly HeaderName[]): Record<string, ReferenceObject> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

export const parameterRef = (name: SharedParameter): ReferenceObject => ({
  $ref: `#/components/parameters/${name}`,
});
