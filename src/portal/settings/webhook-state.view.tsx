import type { DeliveryStatus } from '../../database/entities/delivery.entity.js';
import type { EndpointResponse } from '../../notifications/webhooks/dto/webhook-endpoint.response.js';
import type { IconName } from '../layout/icons.js';
import { Tag, type Tone } from './parts.js';

const REASONS = {
  by_merchant: 'Disabled',
  gone: 'Disabled: it answered 410',
  failing: 'Disabled: nothing was delivered for five days',
} as const;

type StateProps = Pick<EndpointResponse, 'enabled' | 'disabledReason' | 'failingSince'>;

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

export const statusName = (status: DeliveryStatus): string => STATUSES[status][0];

export function DeliveryState({ status }: { readonly status: DeliveryStatus }) {
  const [name, tone, icon] = STATUSES[status];
  return (
    <Tag tone={tone} icon={icon}>
      {name}
    </Tag>
  );
}
