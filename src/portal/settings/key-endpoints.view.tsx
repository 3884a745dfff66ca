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

/** Endpoints created with a key. They stay active after the key expires and can be disabled on their own page. */
export const EndpointsOf = ({ context, apiKey, endpoints }: Props) => (
  <>
    {endpointsOf(apiKey, endpoints).map(({ id, url }) => (
      <div class="text-secondary">
        created endpoint{' '}
        <a href={`${pathOf(context.access)}/webhooks/${id}`}>
          <Typed text={URL.parse(url)?.host ?? url} />
        </a>
      </div>
    ))}
  </>
);
