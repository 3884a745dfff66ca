import type { Delivery } from '../../../database/entities/delivery.entity.js';
import type { DeliveryAttempt } from '../../../database/entities/delivery-attempt.entity.js';
import type { WebhookEndpoint } from '../../../database/entities/webhook-endpoint.entity.js';

const rfc3339 = (moment: Date | null): string | null => moment && moment.toISOString();

/** A whitelist: secrets are shown once, by who makes them. */
export const endpointResponse = (endpoint: WebhookEndpoint) => ({
  id: endpoint.id,
  mode: endpoint.mode,
  url: endpoint.url,
  description: endpoint.description,
  eventTypes: endpoint.eventTypes,
  apiVersion: endpoint.apiVersion,
  enabled: endpoint.enabled,
  disabledReason: endpoint.disabledReason,
  failingSince: rfc3339(endpoint.failingSince),
  previousSecretUntil: rfc3339(endpoint.previousSecretUntil),
  createdAt: rfc3339(endpoint.createdAt),
  updatedAt: rfc3339(endpoint.updatedAt),
});

export type EndpointResponse = ReturnType<typeof endpointResponse>;

export const endpointWithSecret = (endpoint: WebhookEndpoint) => ({
  ...endpointResponse(endpoint),
  secret: endpoint.secret,
});

export type EndpointWithSecret = ReturnType<typeof endpointWithSecret>;

export const deliveryResponse = (delivery: Delivery) => ({
  id: delivery.id,
  webhookId: delivery.eventId ?? delivery.id,
  type: delivery.type,
  txid: delivery.txid,
  resent: delivery.resent,
  status: delivery.status,
  attemptCount: delivery.attempts,
  createdAt: rfc3339(delivery.createdAt),
  nextAttemptAt: rfc3339(delivery.nextAttemptAt),
  completedAt: rfc3339(delivery.completedAt),
});

export type DeliveryResponse = ReturnType<typeof deliveryResponse>;

const attemptResponse = (attempt: DeliveryAttempt) => ({
  number: attempt.number,
  startedAt: rfc3339(attempt.startedAt),
  durationMs: attempt.durationMs,
  succeeded: attempt.succeeded,
  statusCode: attempt.statusCode,
  error: attempt.error,
  requestHead: attempt.requestHead,
  responseHead: attempt.responseHead,
});

export type AttemptResponse = ReturnType<typeof attemptResponse>;

export const deliveryWithAttempts = (delivery: Delivery, attempts: readonly DeliveryAttempt[]) => ({
  ...deliveryResponse(delivery),
  attempts: attempts.map(attemptResponse),
});

export type DeliveryWithAttempts = ReturnType<typeof deliveryWithAttempts>;

export interface EndpointList {
  readonly data: readonly EndpointResponse[];
}

export interface DeliveryPage {
  readonly data: readonly DeliveryResponse[];
  /** For `after`, to read on; null when the page is empty. */
  readonly next: string | null;
  readonly hasMore: boolean;
}

export interface ResendResponse {
  /** Deliveries that were queued. */
  readonly queued: number;
  /** Whether the range has more: the same request again goes on. */
  readonly hasMore: boolean;
}
