import type { OPERATIONS } from './operations.js';
import type { components, operations } from './schema.js';

type Schemas = components['schemas'];

export type Order = Schemas['Order'];
export type OrderStatus = Schemas['OrderStatus'];
export type CreateOrder = Schemas['CreateOrder'];
export type Payment = Schemas['Payment'];
export type Payout = Schemas['Payout'];
export type Problem = Schemas['Problem'];
export type FieldError = Schemas['FieldError'];
export type ErrorCode = Problem['code'];

export type OrderEvent = Schemas['OrderEvent'];
export type PayoutEvent = Schemas['PayoutEvent'];
export type TestEvent = Schemas['TestEvent'];
/** What the feed has. */
export type Event = Schemas['Event'];
/** What comes to a webhook endpoint: `type` tells the kinds apart. */
export type WebhookEvent = Event | TestEvent;

export type OperationId = keyof typeof OPERATIONS;

type JsonOf<T> = T extends { content: { 'application/json': infer Body } } ? Body : undefined;

/** What an operation answers. */
export type Answer<Id extends OperationId> = JsonOf<
  operations[Id]['responses'][keyof operations[Id]['responses']]
>;

type Part<T> = [NonNullable<T>] extends [never] ? unknown : NonNullable<T>;
type PathOf<Id extends OperationId> = Part<operations[Id]['parameters']['path']>;
type QueryOf<Id extends OperationId> = Part<operations[Id]['parameters']['query']>;
type JsonBody<T> = [T] extends [never] ? unknown : JsonOf<T>;
type BodyOf<Id extends OperationId> = operations[Id] extends { requestBody: infer Required }
  ? JsonBody<Required>
  : Partial<JsonBody<NonNullable<operations[Id]['requestBody']>>>;

/** One of the members, and no other. */
type OneOf<T> = {
  [Name in keyof T]-?: { [Own in Name]-?: NonNullable<T[Own]> } & {
    [Other in Exclude<keyof T, Name>]?: never;
  };
}[keyof T];

/** Operations that want exactly one selector. */
type Selecting = 'getOrder' | 'getOrderStatus';

/** What an operation takes: parameters of its path and its query, and the members of its body. */
export type Arguments<Id extends OperationId> = Id extends Selecting
  ? OneOf<QueryOf<Id>>
  : PathOf<Id> & QueryOf<Id> & BodyOf<Id>;

/** Operations that answer a part of something long. */
export type PagedId = {
  [Id in OperationId]: Answer<Id> extends {
    data: readonly unknown[];
    next: string | null;
    hasMore: boolean;
  }
    ? Id
    : never;
}[OperationId];

export type Item<Id extends PagedId> =
  Answer<Id> extends { data: readonly (infer One)[] } ? One : never;
