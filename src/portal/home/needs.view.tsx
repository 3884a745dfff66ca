import type { WebhookEndpoint } from '../../database/notifications/webhook-endpoint.entity.js';
import { mayHere, pathOf, type MerchantContext } from '../../people/portal-context.js';
import { Card } from '../kit/card.js';
import { NeedItem } from '../kit/need-item.js';
import { exceptionLabel } from '../kit/status.js';
import { numberText, TextValue, TimeValue } from '../kit/values.js';
import type { HomeNeeds } from './home.service.js';

interface NeedsProps {
  readonly context: MerchantContext;
  readonly needs: HomeNeeds;
}

/** Tasks that need attention. */
export function NeedsCard({ context, needs }: NeedsProps) {
  const { exceptions, endpoints, unconfirmed } = needs;
  const isCalm = exceptions.length + endpoints.length + unconfirmed === 0;
  return (
    <Card id="needs" title="Needs attention">
      {isCalm ? (
        <p class="mb-0">Nothing at the moment.</p>
      ) : (
        <ul class="needs">
          {exceptions.length > 0 && <Exceptions context={context} needs={needs} />}
          {endpoints.map((endpoint) => (
            <Endpoint context={context} endpoint={endpoint} />
          ))}
          {unconfirmed > 0 && <Unconfirmed context={context} needs={needs} />}
        </ul>
      )}
    </Card>
  );
}

function Exceptions({ context, needs: { exceptions } }: NeedsProps) {
  const count = exceptions.reduce((sum, each) => sum + each.count, 0);
  const kinds = exceptions.map(
    (each) => `${numberText(each.count)} ${exceptionLabel(each.exception).toLowerCase()}`,
  );
  return (
    <NeedItem>
      <a href={`${pathOf(context.access)}/orders?preset=30d&exception=only`}>
        {count === 1 ? '1 order' : `${numberText(count)} orders`} with payment discrepancies
      </a>
      <div class="text-secondary">{kinds.join(', ')}, in the last 30 days</div>
    </NeedItem>
  );
}

interface EndpointProps {
  readonly context: MerchantContext;
  readonly endpoint: WebhookEndpoint;
}

function Endpoint({ context, endpoint }: EndpointProps) {
  const { enabled, failingSince, disabledReason, url } = endpoint;
  const what = enabled ? 'A webhook endpoint is failing' : 'A webhook endpoint was disabled';
  return (
    <NeedItem>
      {mayHere(context, 'deliveries.read') ? (
        <>
          <a href={`${pathOf(context.access)}/webhooks`}>{what}</a>{' '}
          <span class="id">
            <TextValue text={url} />
          </span>
        </>
      ) : (
        <>{what}. Please inform a developer of your team.</>
      )}
      <div class="text-secondary">
        {disabledReason === 'gone' && 'It responded with 410 Gone. '}
        {disabledReason === 'failing' && 'No delivery succeeded for five days. '}
        {enabled && failingSince && (
          <>
            No successful delivery since{' '}
            <TimeValue at={failingSince} timeZone={context.access.timeZone} />
          </>
        )}
      </div>
    </NeedItem>
  );
}

function Unconfirmed({ context, needs: { unconfirmed } }: NeedsProps) {
  const what =
    unconfirmed === 1
      ? '1 email recipient has not confirmed yet'
      : `${numberText(unconfirmed)} email recipients have not confirmed yet`;
  return (
    <NeedItem>
      {mayHere(context, 'recipients.manage') ? (
        <a href={`${pathOf(context.access)}/recipients`}>{what}</a>
      ) : (
        what
      )}
      <div class="text-secondary">The confirmation link is in the first email.</div>
    </NeedItem>
  );
}
