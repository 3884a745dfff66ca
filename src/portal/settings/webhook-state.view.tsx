import { knownOf, plainWord } from '../../common/known.js';
import type { WebhookEndpointResponse } from '../../contract/webhook-endpoint.response.js';
import type { DeliveryStatus } from '../../database/notifications/delivery.entity.js';
import { Typed } from '../kit/components.js';
import { type Badge, Tag } from '../kit/status.js';

const REASONS = {
  by_merchant: 'Disabled',
  gone: 'Disabled: response 410 Gone',
  failing: 'Disabled: no successful delivery for five days',
} as const;

type StateProps = Pick<WebhookEndpointResponse, 'enabled' | 'disabledReason' | 'failingSince'>;

export function EndpointState({ enabled, disabledReason, failingSince }: StateProps) {
  if (!enabled) {
    return <Tag label={REASONS[disabledReason ?? 'by_merchant']} tone="idle" icon="ended" />;
  }
  return failingSince ? (
    <Tag label="Failing" tone="bad" icon="warning" />
  ) : (
    <Tag label="Enabled" tone="good" icon="check" />
  );
}

/** Subscribed events. */
export const SubscribedEvents = ({ eventTypes, optionalField }: WebhookEndpointResponse) => (
  <>
    {eventTypes.length === 0 ? 'All' : eventTypes.join(', ')}
    {optionalField && (
      <div class="text-secondary">
        Only orders with <Typed text={`${optionalField.key} = ${optionalField.value}`} />
      </div>
    )}
  </>
);

const BADGES: Readonly<Record<DeliveryStatus, Badge>> = {
  pending: { label: 'On its way', tone: 'busy', icon: 'clock' },
  delivered: { label: 'Delivered', tone: 'good', icon: 'check' },
  failed: { label: 'Failed', tone: 'bad', icon: 'cross' },
  cancelled: { label: 'Cancelled', tone: 'idle', icon: 'ended' },
};

const shown = (status: DeliveryStatus): Badge =>
  knownOf(BADGES, status) ?? { label: plainWord(status), tone: 'idle', icon: 'ended' };

export const statusName = (status: DeliveryStatus): string => shown(status).label;

export const DeliveryState = ({ status }: { readonly status: DeliveryStatus }) => (
  <Tag {...shown(status)} />
);
