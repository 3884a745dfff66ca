import type { Type } from '@nestjs/common';
import { getSchemaPath, type OpenAPIObject, type ParameterObject } from '@nestjs/swagger';
import {
  OrderEventResponse,
  PayoutEventResponse,
  TestEventResponse,
} from '../../contract/event.response.js';

type Webhooks = NonNullable<OpenAPIObject['webhooks']>;

const header = (name: string, description: string): ParameterObject => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

const SIGNED = [
  header('webhook-id', 'The event: the same in every try, so that you know a repeat.'),
  header('webhook-timestamp', 'When this try was made, as Unix time in seconds.'),
  header('webhook-signature', 'One `v1,…` for each secret, separated by spaces.'),
];

const ANSWERS = {
  '2XX': { description: 'You have it. Answer within 15 seconds, and do the work afterwards.' },
  '410': { description: 'You want no more: the endpoint is switched off.' },
  default: { description: 'You do not have it: it is posted again, ten times in three days.' },
};

const webhook = (id: string, summary: string, description: string, body: Type) => ({
  post: {
    operationId: id,
    tags: ['webhooks'],
    summary,
    description,
    security: [],
    parameters: SIGNED,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: getSchemaPath(body) } } },
    },
    responses: ANSWERS,
  },
});

/** Webhook bodies that no operation returns. */
export const WEBHOOK_BODIES = [TestEventResponse];

/** Webhooks, as in Standard Webhooks 1.0.0. */
export const WEBHOOKS: Webhooks = {
  order: webhook(
    'receiveOrderWebhook',
    'Something happened to an order',
    'The order as it was right after it, in the endpoint’s version of the contract: this document describes endpoints that have its own. Events come more than once and in any order: keep of each order the event with the highest `sequence`, and no other changes anything.',
    OrderEventResponse,
  ),
  payout: webhook(
    'receivePayoutWebhook',
    'Something happened to a payout',
    'The payout as it was right after it; keep of each payout the event with the highest `sequence`.',
    PayoutEventResponse,
  ),
  test: webhook(
    'receiveTestWebhook',
    'Test event',
    'A test without an order: answer 2xx and do nothing.',
    TestEventResponse,
  ),
};
