import type { Scope } from '../../database/merchants/api-key.entity.js';
import { type EventType, PAYOUT_EVENT_TYPES } from '../../database/notifications/event.entity.js';
import type { WebhookEndpoint } from '../../database/notifications/webhook-endpoint.entity.js';
import { Problem } from '../../http/problem.js';

/** Who makes an endpoint or changes it, and from where: a person, or a program with its key. */
export interface Author extends Pick<WebhookEndpoint, 'madeBy' | 'madeByKey' | 'seesPayouts'> {
  readonly seesEvents: boolean;
  readonly address: string;
}

type Heard = Pick<
  WebhookEndpoint,
  'url' | 'enabled' | 'eventTypes' | 'seesPayouts' | 'fieldKey' | 'fieldValue'
>;

/**
 * Nobody lets an endpoint hear what he may not read; the database refuses the same of its maker.
 * @throws Problem `missing_scope`
 */
export function refuseHidden(author: Author, after: Heard, before?: Heard): void {
  if (!author.seesEvents && (!before || hearsMore(before, after))) {
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
 * An endpoint for the orders of one shop is told of no payouts: who names them would wait in vain.
 * @throws Problem `validation_failed`
 */
export function refuseDeaf({ fieldKey, eventTypes }: Heard): void {
  const at = eventTypes.findIndex((type) => type.startsWith('payout.'));
  if (fieldKey === null || at < 0) return;
  const detail =
    'Payouts are of no single shop, so an endpoint with optionalField hears of none: leave this type out, or make an endpoint without optionalField.';
  throw new Problem('validation_failed', {
    detail: 'One field is not valid: /eventTypes.',
    errors: [{ pointer: `/eventTypes/${at}`, code: 'wrong_format', detail }],
  });
}

/** Whether the events that somebody chose for an endpoint tell it of payouts as it was not told before. */
export const hearsOfMorePayouts = (
  before: Pick<WebhookEndpoint, 'eventTypes'>,
  chosen: readonly EventType[],
): boolean => payoutsIn(chosen).some((type) => !payoutsIn(before.eventTypes).includes(type));

/** No types are all. */
const payoutsIn = (types: readonly EventType[]): readonly EventType[] =>
  types.length === 0 ? PAYOUT_EVENT_TYPES : types.filter((type) => type.startsWith('payout.'));

const hidden = (missingScope: Scope, detail: string): Problem =>
  new Problem('missing_scope', { detail, members: { missingScope } });

/** Whether somebody hears what he did not hear before; no types are all. */
const hearsMore = (before: Heard, after: Heard): boolean =>
  after.url !== before.url ||
  (after.enabled && !before.enabled) ||
  (before.fieldKey !== null &&
    (after.fieldKey !== before.fieldKey || after.fieldValue !== before.fieldValue)) ||
  (before.eventTypes.length > 0 &&
    (after.eventTypes.length === 0 ||
      after.eventTypes.some((type) => !before.eventTypes.includes(type))));
