import type { DeliveryAttempt } from '../database/notifications/delivery-attempt.entity.js';
import {
  type Delivery,
  DELIVERY_STATUSES,
  type DeliveryStatus,
} from '../database/notifications/delivery.entity.js';
import { EVENT_TYPES } from '../database/notifications/event.entity.js';
import { PAGE_LIMIT } from '../http/query.js';
import { Answer, answerOf, Integer, ListOf, OpenList } from './answers.js';
import { TEST_EVENT } from './event.response.js';
import { Count, Flag, Moment, OneOf, OR_NULL, Text, Uuid } from './fields.js';

@Answer('WebhookDelivery', 'One event on its way to one endpoint.')
export class WebhookDeliveryResponse {
  @Uuid('The service’s own name for the delivery.') id: string;
  @Uuid('The header `webhook-id`: the event, by which receivers know a repeat.') webhookId: string;
  @OpenList([...EVENT_TYPES, TEST_EVENT], 'The event’s type, or `webhook.test`.') type: string;
  @Uuid('The order that the event is about; null for a payout or a test event.', OR_NULL)
  txid: string | null;
  @Flag('Whether the event was sent again on request.') resent: boolean;
  @OneOf(
    DELIVERY_STATUSES,
    '`pending` is tried again; `failed` was given up; `cancelled` lost its endpoint.',
  )
  status: DeliveryStatus;
  @Count('Attempts that ended.') attemptCount: number;
  @Moment('When the delivery was queued.') createdAt: string;
  @Moment('When the next attempt is due.', OR_NULL) nextAttemptAt: string | null;
  @Moment('When the delivery ended.', OR_NULL) completedAt: string | null;
}

export const webhookDeliveryResponse = (delivery: Delivery): WebhookDeliveryResponse =>
  answerOf(WebhookDeliveryResponse, {
    id: delivery.id,
    webhookId: delivery.eventId ?? delivery.id,
    type: delivery.type,
    txid: delivery.txid,
    resent: delivery.resent,
    status: delivery.status,
    attemptCount: delivery.attempts,
    createdAt: delivery.createdAt.toISOString(),
    nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
    completedAt: delivery.completedAt?.toISOString() ?? null,
  });

@Answer('WebhookAttempt', 'One attempt to deliver.')
export class WebhookAttemptResponse {
  @Count('Counts the attempts of the delivery.', { min: 1 }) number: number;
  @Moment('When the attempt began.') startedAt: string;
  @Count('How long it took, in milliseconds.') durationMs: number;
  @Flag('Whether the receiver answered 2xx.') succeeded: boolean;
  @Integer('The HTTP status of the answer; null when none came.', OR_NULL)
  statusCode: number | null;
  @Text('Why the attempt failed.', OR_NULL) error: string | null;
  @Text('What was sent before the body, at most 4 kB.', OR_NULL) requestHead: string | null;
  @Text('What was answered, in test mode with the first 1 kB of the body; at most 4 kB.', OR_NULL)
  responseHead: string | null;
}

const webhookAttemptResponse = (attempt: DeliveryAttempt): WebhookAttemptResponse =>
  answerOf(WebhookAttemptResponse, {
    number: attempt.number,
    startedAt: attempt.startedAt.toISOString(),
    durationMs: attempt.durationMs,
    succeeded: attempt.succeeded,
    statusCode: attempt.statusCode,
    error: attempt.error,
    requestHead: attempt.requestHead,
    responseHead: attempt.responseHead,
  });

@Answer('WebhookDeliveryWithAttempts', 'A delivery and how it went.')
export class WebhookDeliveryWithAttemptsResponse extends WebhookDeliveryResponse {
  @ListOf(WebhookAttemptResponse, 'The oldest first.') attempts: readonly WebhookAttemptResponse[];
}

export const webhookDeliveryWithAttemptsResponse = (
  delivery: Delivery,
  attempts: readonly DeliveryAttempt[],
): WebhookDeliveryWithAttemptsResponse =>
  answerOf(WebhookDeliveryWithAttemptsResponse, {
    ...webhookDeliveryResponse(delivery),
    attempts: attempts.map(webhookAttemptResponse),
  });

@Answer('WebhookDeliveryPage', 'A part of the log.')
export class WebhookDeliveryPageResponse {
  @ListOf(WebhookDeliveryResponse, { max: PAGE_LIMIT.max })
  data: readonly WebhookDeliveryResponse[];
  @Uuid('What to pass as `after` for the next page; null when this one is empty.', OR_NULL)
  next: string | null;
  @Flag('Whether there are older deliveries.') hasMore: boolean;
}

@Answer('WebhookResend', 'What is sent again.')
export class WebhookResendResponse {
  @Count('Events that are sent: again, or before the time of their next try.') queued: number;
  @Flag('Whether the range has more: repeat the request.') hasMore: boolean;
}
