import type { ComponentChildren } from 'preact';
import type { WebhookEndpoint } from '../../database/entities/webhook-endpoint.entity.js';
import { Icon } from '../layout/icons.js';
import { EXCEPTION_WORDS } from '../layout/status.js';
import { numberText, Text, When } from '../layout/values.js';
import { mayHere, pathOf, type PlacedVisit } from '../visit.js';
import type { Needs } from './home.service.js';

interface NeedsProps {
  readonly visit: PlacedVisit;
  readonly needs: Needs;
}

/** What does not go on by itself. */
export function NeedsCard({ visit, needs }: NeedsProps) {
  const { exceptions, endpoints, unconfirmed } = needs;
  const isCalm = exceptions.length + endpoints.length + unconfirmed === 0;
  return (
    <section class="card mb-3" aria-labelledby="needs">
      <div class="card-body">
        <h2 class="card-title" id="needs">
          Needs a person
        </h2>
        {isCalm ? (
          <p class="mb-0">Nothing at the moment.</p>
        ) : (
          <ul class="needs">
            {exceptions.length > 0 && <Exceptions visit={visit} needs={needs} />}
            {endpoints.map((endpoint) => (
              <Endpoint visit={visit} endpoint={endpoint} />
            ))}
            {unconfirmed > 0 && <Unconfirmed visit={visit} needs={needs} />}
          </ul>
        )}
      </div>
    </section>
  );
}

const Need = ({ children }: { readonly children: ComponentChildren }) => (
  <li>
    <span class="tag dot warn">
      <Icon name="warning" />
    </span>
    <div>{children}</div>
  </li>
);

function Exceptions({ visit, needs: { exceptions } }: NeedsProps) {
  const count = exceptions.reduce((sum, each) => sum + each.count, 0);
  const kinds = exceptions.map(
    (each) => `${numberText(each.count)} ${EXCEPTION_WORDS[each.exception].toLowerCase()}`,
  );
  return (
    <Need>
      <a href={`${pathOf(visit.place)}/orders?preset=30d&exception=only`}>
        {count === 1 ? '1 order' : `${numberText(count)} orders`} with money that does not fit
      </a>
      <div class="text-secondary">{kinds.join(', ')}, in the last 30 days</div>
    </Need>
  );
}

interface EndpointProps {
  readonly visit: PlacedVisit;
  readonly endpoint: WebhookEndpoint;
}

function Endpoint({ visit, endpoint }: EndpointProps) {
  const { enabled, failingSince, disabledReason, url } = endpoint;
  const what = enabled ? 'A webhook endpoint is failing' : 'A webhook endpoint was switched off';
  return (
    <Need>
      {mayHere(visit, 'deliveries.read') ? (
        <>
          <a href={`${pathOf(visit.place)}/webhooks`}>{what}</a>{' '}
          <span class="id">
            <Text text={url} />
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
            Nothing reached it since <When at={failingSince} timeZone={visit.place.timeZone} />
          </>
        )}
      </div>
    </Need>
  );
}

function Unconfirmed({ visit, needs: { unconfirmed } }: NeedsProps) {
  const what =
    unconfirmed === 1
      ? 'A mailbox has not confirmed that it wants e-mails'
      : `${numberText(unconfirmed)} mailboxes have not confirmed that they want e-mails`;
  return (
    <Need>
      {mayHere(visit, 'recipients.manage') ? (
        <a href={`${pathOf(visit.place)}/recipients`}>{what}</a>
      ) : (
        what
      )}
      <div class="text-secondary">The link to do so is in the first mail to it.</div>
    </Need>
  );
}
