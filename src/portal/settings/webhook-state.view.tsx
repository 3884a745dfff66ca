import { knownOf, plainWord } from '../../common/known.js';
import type { WebhookEndpointResponse } from '../../contract/webhook-endpoint.response.js';
import type { DeliveryStatus } from '../../database/notifications/delivery.entity.js';
import { Tag, type Tone } from '../kit/components.js';
import type { IconName } from '../kit/icons.js';

const REASONS = {
  by_merchant: 'Disabled',
  gone: 'Disabled: it answered 410',
  failing: 'Disabled: nothing was delivered for five days',
} as const;

type StateProps = Pick<WebhookEndpointResponse, 'enabled' | 'disabledReason' | 'failingSince'>;

export function EndpointState({ enabled, disabledReason, failingSince }: StateProps) {
  if (!enabled) {
    return (
      <Tag tone="idle" icon="ended">
        {REASONS[disabledReason ?? 'by_merchant']}
      </Tag>
    );
  }
  return failingSince ? (
    <Tag tone="bad" icon="warning">
      Failing
    </Tag>
  ) : (
    <Tag tone="good" icon="check">
      Enabled
    </Tag>
  );
}

const STATUSES: Readonly<Record<DeliveryStatus, readonly [string, Tone, IconName]>> = {
  pending: ['On its way', 'busy', 'clock'],
  delivered: ['Delivered', 'good', 'check'],
  failed: ['Failed', 'bad', 'cross'],
  cancelled: ['Cancelled', 'idle', 'ended'],
};

const shown = (status: DeliveryStatus): (typeof STATUSES)[DeliveryStatus] =>
  knownOf(STATUSES, status) ?? [plainWord(status), 'idle', 'ended'];

export const statusName = (status: DeliveryStatus): string => shown(status)[0];

export function DeliveryState({ status }: { readonly status: DeliveryStatus }) {
  const [name, tone, icon] = shown(status);
  return (
    <Tag tone={tone} icon={icon}>
      {name}
    </Tag>
  );
}
