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

/** What does not go on by itself. */
export function NeedsCard({ context, needs }: NeedsProps) {
  const { exceptions, endpoints, unconfirmed } = needs;
  const isCalm = exceptions.length + endpoints.length + unconfirmed === 0;
  return (
    <Card id="needs" title="Needs a person">
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
        {count === 1 ? '1 order' : `${numberText(count)} orders`} with money that does not fit
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
  const what = enabled ? 'A webhook endpoint is failing' : 'A webhook endpoint was switched off';
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
        <>{what}. Tell a developer of your shop.</>
      )}
      <div class="text-secondary">
        {disabledReason === 'gone' && 'It answered that it is gone for good (410). '}
        {disabledReason === 'failing' && 'Nothing reached it for five days. '}
        {enabled && failingSince && (
          <>
            Nothing reached it since{' '}
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
      ? 'A mailbox has not confirmed that it wants e-mails'
      : `${numberText(unconfirmed)} mailboxes have not confirmed that they want e-mails`;
  return (
    <NeedItem>
      {mayHere(context, 'recipients.manage') ? (
        <a href={`${pathOf(context.access)}/recipients`}>{what}</a>
      ) : (
        what
      )}
      <div class="text-secondary">The link to do so is in the first mail to it.</div>
    </NeedItem>
  );
}
