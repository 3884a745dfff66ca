import type { ApiKey } from '../../database/merchants/api-key.entity.js';
import type { WebhookEndpoint } from '../../database/notifications/webhook-endpoint.entity.js';
import { pathOf, type MerchantContext } from '../../people/portal-context.js';
import { Typed } from '../kit/components.js';

export const endpointsOf = (
  { id }: ApiKey,
  endpoints: readonly WebhookEndpoint[],
): readonly WebhookEndpoint[] => endpoints.filter(({ madeByKey }) => madeByKey === id);

interface Props {
  readonly context: MerchantContext;
  readonly apiKey: ApiKey;
  readonly endpoints: readonly WebhookEndpoint[];
}

/** Where a key has events sent, which goes on when the key is over; each can be switched off there. */
export const EndpointsOf = ({ context, apiKey, endpoints }: Props) => (
  <>
    {endpointsOf(apiKey, endpoints).map(({ id, url }) => (
      <div class="text-secondary">
        has events sent to{' '}
        <a href={`${pathOf(context.access)}/webhooks/${id}`}>
          <Typed text={URL.parse(url)?.host ?? url} />
        </a>
      </div>
    ))}
  </>
);
