import type { ApiKey } from '../../database/entities/api-key.entity.js';
import type { WebhookEndpoint } from '../../database/entities/webhook-endpoint.entity.js';
import { pathOf, type PlacedVisit } from '../visit.js';
import { Typed } from './parts.js';

export const endpointsOf = (
  { id }: ApiKey,
  endpoints: readonly WebhookEndpoint[],
): readonly WebhookEndpoint[] => endpoints.filter(({ madeByKey }) => madeByKey === id);

interface Props {
  readonly visit: PlacedVisit;
  readonly apiKey: ApiKey;
  readonly endpoints: readonly WebhookEndpoint[];
}

/** Where a key has events sent, which goes on when the key is over; each can be switched off there. */
export const EndpointsOf = ({ visit, apiKey, endpoints }: Props) => (
  <>
    {endpointsOf(apiKey, endpoints).map(({ id, url }) => (
      <div class="text-secondary">
        has events sent to{' '}
        <a href={`${pathOf(visit.place)}/webhooks/${id}`}>
          <Typed text={URL.parse(url)?.host ?? url} />
        </a>
      </div>
    ))}
  </>
);
