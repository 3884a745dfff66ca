import type { Scope } from '../../database/merchants/api-key.entity.js';
import { type EventType, PAYOUT_EVENT_TYPES } from '../../database/notifications/event.entity.js';
import type { WebhookEndpoint } from '../../database/notifications/webhook-endpoint.entity.js';
import { Problem } from '../../http/problems/problem.js';

/** Author of an endpoint or its change, with the network address: a user, or an API key. */
export interface Author extends Pick<WebhookEndpoint, 'madeBy' | 'madeByKey' | 'seesPayouts'> {
  readonly seesEvents: boolean;
  readonly address: string;
}

type Subscription = Pick<
  WebhookEndpoint,
  'url' | 'enabled' | 'eventTypes' | 'seesPayouts' | 'fieldKey' | 'fieldValue'
>;

/**
 * An author can subscribe an endpoint only to events they may read; the database enforces the same.
 * @throws Problem `missing_scope`
 */
export function rejectUnreadableEvents(
  author: Author,
  after: Subscription,
  before?: Subscription,
): void {
  if (!author.seesEvents && (!before || subscribesToMore(before, after))) {
    throw hidden('events:read', 'Only who may read events lets an endpoint hear more of them.');
  }
  if (!after.seesPayouts && after.eventTypes.some((type) => type.startsWith('payout.'))) {
    throw hidden(
      'payouts:read',
      'Only who may read payouts lets an endpoint hear of them: an owner, or a key with payouts:read.',
    );
  }
}

/**
 * An endpoint for one shop receives no payouts, so subscribing it to them is rejected.
 * @throws Problem `validation_failed`
 */
export function rejectPayoutTypesWithField({ fieldKey, eventTypes }: Subscription): void {
  const at = eventTypes.findIndex((type) => type.startsWith('payout.'));
  if (fieldKey === null || at < 0) return;
  const detail =
    'Payouts are of no single shop, so an endpoint with optionalField hears of none: leave this type out, or make an endpoint without optionalField.';
  throw new Problem('validation_failed', {
    detail: 'One field is not valid: /eventTypes.',
    errors: [{ pointer: `/eventTypes/${at}`, code: 'wrong_format', detail }],
  });
}

/** Whether the chosen event types add payout events to the endpoint. */
export const hearsOfMorePayouts = (
  before: Pick<WebhookEndpoint, 'eventTypes'>,
  chosen: readonly EventType[],
): boolean => payoutsIn(chosen).some((type) => !payoutsIn(before.eventTypes).includes(type));

/** An empty list means all types. */
const payoutsIn = (types: readonly EventType[]): readonly EventType[] =>
  types.length === 0 ? PAYOUT_EVENT_TYPES : types.filter((type) => type.startsWith('payout.'));

const hidden = (missingScope: Scope, detail: string): Problem =>
  new Problem('missing_scope', { detail, members: { missingScope } });

/** Whether the endpoint receives more than before; an empty list means all types. */
const subscribesToMore = (before: Subscription, after: Subscription): boolean =>
  after.url !== before.url ||
  (after.enabled && !before.enabled) ||
  (before.fieldKey !== null &&
    (after.fieldKey !== before.fieldKey || after.fieldValue !== before.fieldValue)) ||
  (before.eventTypes.length > 0 &&
    (after.eventTypes.length === 0 ||
      after.eventTypes.some((type) => !before.eventTypes.includes(type))));
