import { applyDecorators } from '@nestjs/common';
import { ApiExtension, ApiOperation } from '@nestjs/swagger';
import type { ErrorCode } from './errors.js';

/** Extension of an operation that the OpenAPI document is completed from; it is not published. */
export const OPERATION_FACTS = 'x-operation-facts';

/** Parameters that operations share; every one stands once in the document's components. */
export type SharedParameter =
  | 'ApiVersion'
  | 'DeliveryAfter'
  | 'DeliveryIdOrNewest'
  | 'DeliveryStatus'
  | 'EndpointId'
  | 'EndpointIdOrNewest'
  | 'EventAfter'
  | 'EventTypes'
  | 'IdempotencyKey'
  | 'Limit'
  | 'LineAfter'
  | 'OrderMerchantId'
  | 'OrderTransactionId'
  | 'PayoutAfter'
  | 'PayoutIdOrNewest'
  | 'PayoutStatuses'
  | 'RecipientId'
  | 'RecipientIdOrNewest'
  | 'Txid'
  | 'TxidOrNewest'
  | 'TxidQuery';

/** What callers of an operation must know, beside what its code says. */
export interface OperationFacts {
  /** Name of the operation in generated clients. */
  readonly id: string;
  readonly summary: string;
  /** Markdown. */
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly takes: readonly SharedParameter[];
  /** Schema of the body of every success; null when there is none. */
  readonly gives:
    | 'BalanceList'
    | 'EventPage'
    | 'NotificationRecipient'
    | 'NotificationRecipientList'
    | 'Order'
    | 'OrderStatus'
    | 'PayoutLinePage'
    | 'PayoutPage'
    | 'PayoutWithSums'
    | 'WebhookDelivery'
    | 'WebhookDeliveryPage'
    | 'WebhookDeliveryWithAttempts'
    | 'WebhookEndpoint'
    | 'WebhookEndpointList'
    | 'WebhookEndpointWithSecret'
    | 'WebhookResend'
    | null;
  /** What each success status means. */
  readonly answers: Readonly<Record<number, string>>;
  /** Errors of this operation; those that every operation can answer are added. */
  readonly errors: readonly ErrorCode[];
}

/** Describes an operation of the API for its reference. */
export const Operation = (facts: OperationFacts): MethodDecorator =>
  applyDecorators(
    ApiOperation({
      operationId: facts.id,
      summary: facts.summary,
      ...(facts.description === undefined ? {} : { description: facts.description }),
      ...(facts.deprecated ? { deprecated: true } : {}),
    }),
    ApiExtension(OPERATION_FACTS, facts),
  );
