import { DELIVERY_STATUSES } from '../../database/entities/delivery.entity.js';
import type { LogPage } from '../../database/repositories/delivery-log.repository.js';
import type {
  AttemptResponse,
  DeliveryPage,
  DeliveryResponse,
  DeliveryWithAttempts,
  EndpointResponse,
} from '../../notifications/webhooks/dto/webhook-endpoint.response.js';
import { PostForm } from '../layout/parts.js';
import { renderPage } from '../layout/shell.view.js';
import { mayHere, pathOf, type PlacedVisit } from '../visit.js';
import { Cell, Done, Empty, FactRow, Rows, Typed, When, zoneNote } from './parts.js';
import { DeliveryState, EndpointState, statusName } from './webhook-state.view.js';

const COLUMNS = ['Made', 'Event', 'State', 'Attempts', 'Order'];

interface EndpointPage {
  readonly visit: PlacedVisit;
  readonly endpoint: EndpointResponse;
}

const pageOf = ({ visit, endpoint }: EndpointPage): string =>
  `${pathOf(visit.place)}/webhooks/${endpoint.id}`;

interface LogProps extends EndpointPage {
  readonly page: DeliveryPage;
  readonly wanted: LogPage;
  readonly done: unknown;
}

export const renderLog = (props: LogProps): string =>
  renderPage({
    visit: props.visit,
    title: 'Webhook endpoint',
    subtitle: <Typed text={props.endpoint.url} />,
    children: (
      <>
        <Done word={props.done} />
        <Facts {...props} />
        <section class="card" aria-labelledby="log">
          <div class="card-header">
            <h2 class="card-title" id="log">
              Deliveries
            </h2>
          </div>
          <Filter {...props} />
          <Log {...props} />
        </section>
      </>
    ),
  });

const Facts = ({ visit, endpoint }: EndpointPage) => (
  <div class="card mb-3">
    <div class="card-body">
      <dl class="fact-list">
        <FactRow label="State">
          <EndpointState {...endpoint} />
        </FactRow>
        <FactRow label="Events">
          {endpoint.eventTypes.length === 0 ? 'All' : endpoint.eventTypes.join(', ')}
        </FactRow>
        <FactRow label="Version">{endpoint.apiVersion}</FactRow>
        <FactRow label="Failing since">
          <When at={endpoint.failingSince} zone={visit.place.timeZone} never="Not failing" />
        </FactRow>
        {endpoint.description && (
          <FactRow label="Note">
            <Typed text={endpoint.description} />
          </FactRow>
        )}
      </dl>
      <div class="actions">
        {mayHere(visit, 'webhooks.manage') && <Manage visit={visit} endpoint={endpoint} />}
        {mayHere(visit, 'deliveries.resend') && (
          <a class="btn" href={`${pageOf({ visit, endpoint })}/resend`}>
            Send events of a time again
          </a>
        )}
      </div>
    </div>
  </div>
);

function Manage({ visit, endpoint }: EndpointPage) {
  const page = pageOf({ visit, endpoint });
  return (
    <>
      <PostForm csrf={visit.csrf} action={`${page}/test`}>
        <button class="btn">Send a test event</button>
      </PostForm>
      <a class="btn" href={`${page}/edit`}>
        Change
      </a>
      <PostForm csrf={visit.csrf} action={`${page}/${endpoint.enabled ? 'disable' : 'enable'}`}>
        <button class="btn">{endpoint.enabled ? 'Disable' : 'Enable'}</button>
      </PostForm>
      <a class="btn" href={`${page}/secret`}>
        Roll the secret
      </a>
      <a class="btn" href={`${page}/delete`}>
        Delete
      </a>
    </>
  );
}

const Filter = (props: LogProps) => (
  <nav class="card-body state-filter" aria-label="Filter by state">
    <Chip {...props} status={null} />
    {DELIVERY_STATUSES.map((status) => (
      <Chip {...props} status={status} />
    ))}
  </nav>
);

const Chip = ({ status, wanted, ...props }: LogProps & Pick<LogPage, 'status'>) => (
  <a
    class={status === wanted.status ? 'btn btn-sm chosen' : 'btn btn-sm'}
    href={`${pageOf(props)}${status ? `?status=${status}` : ''}`}
    aria-current={status === wanted.status ? 'true' : undefined}
  >
    {status ? statusName(status) : 'All'}
  </a>
);

function Log(props: LogProps) {
  const { page, wanted } = props;
  if (page.data.length === 0) {
    return (
      <Empty title={wanted.status || wanted.after ? 'No such delivery' : 'Nothing was sent yet'}>
        {wanted.status || wanted.after
          ? 'Choose another state above.'
          : 'Send a test event to see whether the endpoint answers.'}
      </Empty>
    );
  }
  return (
    <>
      <Rows caption="Deliveries of the last 60 days, the newest first" columns={COLUMNS}>
        {page.data.map((delivery) => (
          <Row {...props} delivery={delivery} />
        ))}
      </Rows>
      <Pages {...props} />
    </>
  );
}

function Pages({ page, wanted, ...props }: LogProps) {
  if (!wanted.after && !page.hasMore) return null;
  const status = wanted.status ? `status=${wanted.status}` : '';
  return (
    <nav class="card-footer d-flex gap-2" aria-label="Pages">
      {wanted.after && (
        <a class="btn btn-sm" href={`${pageOf(props)}?${status}`}>
          Newest
        </a>
      )}
      {page.hasMore && (
        <a class="btn btn-sm" href={`${pageOf(props)}?${status}&after=${page.next}`}>
          Older
        </a>
      )}
    </nav>
  );
}

function Row({ visit, endpoint, delivery }: LogProps & { readonly delivery: DeliveryResponse }) {
  const { id, type, status, attemptCount, txid, resent, createdAt } = delivery;
  return (
    <tr>
      <Cell label="Made">
        <When at={createdAt} zone={visit.place.timeZone} />
      </Cell>
      <Cell label="Event" class="strong">
        <a href={`${pageOf({ visit, endpoint })}/deliveries/${id}`}>{type}</a>
        {resent && <span class="text-secondary"> sent again</span>}
      </Cell>
      <Cell label="State">
        <DeliveryState status={status} />
      </Cell>
      <Cell label="Attempts">{attemptCount}</Cell>
      <Cell label="Order">{txid ? <OrderLink visit={visit} txid={txid} /> : 'None'}</Cell>
    </tr>
  );
}

const OrderLink = ({ visit, txid }: { readonly visit: PlacedVisit; readonly txid: string }) => (
  <a class="mono" href={`${pathOf(visit.place)}/orders/${txid}`}>
    {txid}
  </a>
);

interface DeliveryProps extends EndpointPage {
  readonly delivery: DeliveryWithAttempts;
}

export const renderDelivery = (props: DeliveryProps): string =>
  renderPage({
    visit: props.visit,
    title: `Delivery of ${props.delivery.type}`,
    subtitle: (
      <>
        To <a href={pageOf(props)}>{<Typed text={props.endpoint.url} />}</a>.{' '}
        {zoneNote(props.visit.place.timeZone)}.
      </>
    ),
    actions: mayHere(props.visit, 'deliveries.resend') && (
      <PostForm
        csrf={props.visit.csrf}
        action={`${pageOf(props)}/deliveries/${props.delivery.id}/resend`}
      >
        <button class="btn btn-primary">Send again</button>
      </PostForm>
    ),
    children: (
      <>
        <DeliveryFacts {...props} />
        <h2 class="h3">Attempts</h2>
        {props.delivery.attempts.length === 0 && <p class="text-secondary">None has ended yet.</p>}
        {props.delivery.attempts.map((attempt) => (
          <Attempt attempt={attempt} zone={props.visit.place.timeZone} />
        ))}
      </>
    ),
  });

function DeliveryFacts({ visit, delivery }: DeliveryProps) {
  const zone = visit.place.timeZone;
  return (
    <div class="card mb-3">
      <div class="card-body">
        <dl class="fact-list">
          <FactRow label="State">
            <DeliveryState status={delivery.status} />
          </FactRow>
          <FactRow label="Made">
            <When at={delivery.createdAt} zone={zone} />
          </FactRow>
          {delivery.nextAttemptAt && (
            <FactRow label="Next attempt">
              <When at={delivery.nextAttemptAt} zone={zone} />
            </FactRow>
          )}
          {delivery.txid && (
            <FactRow label="Order">
              <OrderLink visit={visit} txid={delivery.txid} />
            </FactRow>
          )}
          <FactRow label="webhook-id">
            <span class="mono">{delivery.webhookId}</span>
          </FactRow>
        </dl>
      </div>
    </div>
  );
}

interface AttemptProps {
  readonly attempt: AttemptResponse;
  readonly zone: string;
}

const Attempt = ({ attempt, zone }: AttemptProps) => (
  <section class="card mb-3" aria-labelledby={`attempt-${attempt.number}`}>
    <div class="card-body">
      <h3 class="card-title" id={`attempt-${attempt.number}`}>
        Attempt {attempt.number}: {attempt.statusCode ?? 'no answer'} after{' '}
        {attempt.durationMs.toLocaleString('en')} ms
      </h3>
      <p>
        <When at={attempt.startedAt} zone={zone} />. {attempt.error ?? 'The endpoint took it.'}
      </p>
      <Head label={`Request of attempt ${attempt.number}`} text={attempt.requestHead} />
      <Head label={`Answer to attempt ${attempt.number}`} text={attempt.responseHead} />
    </div>
  </section>
);

/** What was said, as plain text; it scrolls, so the keyboard must reach it. */
function Head({ label, text }: { readonly label: string; readonly text: string | null }) {
  if (!text) return null;
  return (
    <>
      <p class="mb-1 text-secondary">{label}</p>
      <pre class="head" tabindex={0} role="region" aria-label={label}>
        <Typed text={text} />
      </pre>
    </>
  );
}
