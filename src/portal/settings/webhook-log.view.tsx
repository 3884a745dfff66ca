import type {
  WebhookAttemptResponse,
  WebhookDeliveryPageResponse,
  WebhookDeliveryResponse,
  WebhookDeliveryWithAttemptsResponse,
} from '../../contract/webhook-delivery.response.js';
import type { WebhookEndpointResponse } from '../../contract/webhook-endpoint.response.js';
import type { LogPage } from '../../database/notifications/delivery-log.repository.js';
import { DELIVERY_STATUSES } from '../../database/notifications/delivery.entity.js';
import { mayHere, pathOf, type MerchantContext } from '../../people/portal-context.js';
import { ListCard } from '../kit/card.js';
import { Cell, Done, Empty, DetailRow, Rows, Typed, When, zoneNote } from '../kit/components.js';
import { PostForm } from '../kit/form-components.js';
import { Pager } from '../kit/list.view.js';
import { renderPage } from '../layout/shell.view.js';
import {
  DeliveryState,
  EndpointState,
  SubscribedEvents,
  statusName,
} from './webhook-state.view.js';

const COLUMNS = ['Created', 'Event', 'State', 'Attempts', 'Order'];

interface EndpointPage {
  readonly context: MerchantContext;
  readonly endpoint: WebhookEndpointResponse;
}

const pageOf = ({ context, endpoint }: EndpointPage): string =>
  `${pathOf(context.access)}/webhooks/${endpoint.id}`;

interface LogProps extends EndpointPage {
  readonly page: WebhookDeliveryPageResponse;
  readonly wanted: LogPage;
  readonly done: unknown;
}

export const renderLog = (props: LogProps): string =>
  renderPage({
    context: props.context,
    title: 'Webhook endpoint',
    subtitle: <Typed text={props.endpoint.url} />,
    children: (
      <>
        <Done word={props.done} />
        <DetailList {...props} />
        <ListCard id="log" title="Deliveries" class="card">
          <Filter {...props} />
          <Log {...props} />
        </ListCard>
      </>
    ),
  });

const DetailList = ({ context, endpoint }: EndpointPage) => (
  <div class="card mb-3">
    <div class="card-body">
      <dl class="fact-list">
        <DetailRow label="State">
          <EndpointState {...endpoint} />
        </DetailRow>
        <DetailRow label="Events">
          <SubscribedEvents {...endpoint} />
        </DetailRow>
        <DetailRow label="Version">{endpoint.apiVersion}</DetailRow>
        <DetailRow label="Failing since">
          <When at={endpoint.failingSince} zone={context.access.timeZone} never="Not failing" />
        </DetailRow>
        {endpoint.description && (
          <DetailRow label="Note">
            <Typed text={endpoint.description} />
          </DetailRow>
        )}
      </dl>
      <div class="actions">
        {mayHere(context, 'webhooks.manage') && <Manage context={context} endpoint={endpoint} />}
        {mayHere(context, 'deliveries.resend') && (
          <a class="btn" href={`${pageOf({ context, endpoint })}/resend`}>
            Resend events of a period
          </a>
        )}
      </div>
    </div>
  </div>
);

function Manage({ context, endpoint }: EndpointPage) {
  const page = pageOf({ context, endpoint });
  return (
    <>
      <PostForm csrf={context.csrf} action={`${page}/test`}>
        <button class="btn">Send a test event</button>
      </PostForm>
      <a class="btn" href={`${page}/edit`}>
        Change
      </a>
      <PostForm csrf={context.csrf} action={`${page}/${endpoint.enabled ? 'disable' : 'enable'}`}>
        <button class="btn">{endpoint.enabled ? 'Disable' : 'Enable'}</button>
      </PostForm>
      <a class="btn" href={`${page}/secret`}>
        Roll secret{' '}
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
      <Empty title={wanted.status || wanted.after ? 'No matching deliveries' : 'No deliveries yet'}>
        {wanted.status || wanted.after
          ? 'Choose another state above.'
          : 'Send a test event to check that the endpoint responds.'}
      </Empty>
    );
  }
  return (
    <>
      <Rows caption="Deliveries of the last 60 days, newest first" columns={COLUMNS}>
        {page.data.map((delivery) => (
          <Row {...props} delivery={delivery} />
        ))}
      </Rows>
      <Pages {...props} />
    </>
  );
}

function Pages({ page, wanted, ...props }: LogProps) {
  const status = wanted.status ? `status=${wanted.status}` : '';
  const path = `${pageOf(props)}?${status}`;
  return (
    <Pager
      first={wanted.after ? { label: 'Newest', href: path } : null}
      next={page.hasMore ? { label: 'Older', href: `${path}&after=${page.next}` } : null}
    />
  );
}

function Row({
  context,
  endpoint,
  delivery,
}: LogProps & { readonly delivery: WebhookDeliveryResponse }) {
  const { id, type, status, attemptCount, txid, resent, createdAt } = delivery;
  return (
    <tr>
      <Cell label="Created">
        <When at={createdAt} zone={context.access.timeZone} />
      </Cell>
      <Cell label="Event" class="strong">
        <a href={`${pageOf({ context, endpoint })}/deliveries/${id}`}>{type}</a>
        {resent && <span class="text-secondary"> resent</span>}
      </Cell>
      <Cell label="State">
        <DeliveryState status={status} />
      </Cell>
      <Cell label="Attempts">{attemptCount}</Cell>
      <Cell label="Order">{txid ? <OrderLink context={context} txid={txid} /> : 'None'}</Cell>
    </tr>
  );
}

const OrderLink = ({ context, txid }: Pick<EndpointPage, 'context'> & { txid: string }) => (
  <a class="mono" href={`${pathOf(context.access)}/orders/${txid}`}>
    {txid}
  </a>
);

interface DeliveryProps extends EndpointPage {
  readonly delivery: WebhookDeliveryWithAttemptsResponse;
}

export const renderDelivery = (props: DeliveryProps): string =>
  renderPage({
    context: props.context,
    title: `Delivery of ${props.delivery.type}`,
    subtitle: (
      <>
        To <a href={pageOf(props)}>{<Typed text={props.endpoint.url} />}</a>.{' '}
        {zoneNote(props.context.access.timeZone)}.
      </>
    ),
    actions: mayHere(props.context, 'deliveries.resend') && (
      <PostForm
        csrf={props.context.csrf}
        action={`${pageOf(props)}/deliveries/${props.delivery.id}/resend`}
      >
        <button class="btn btn-primary">Resend</button>
      </PostForm>
    ),
    children: (
      <>
        <DeliveryDetails {...props} />
        <h2 class="h3">Attempts</h2>
        {props.delivery.attempts.length === 0 && (
          <p class="text-secondary">No completed attempts yet.</p>
        )}
        {props.delivery.attempts.map((attempt) => (
          <Attempt attempt={attempt} zone={props.context.access.timeZone} />
        ))}
      </>
    ),
  });

function DeliveryDetails({ context, delivery }: DeliveryProps) {
  const zone = context.access.timeZone;
  return (
    <div class="card mb-3">
      <div class="card-body">
        <dl class="fact-list">
          <DetailRow label="State">
            <DeliveryState status={delivery.status} />
          </DetailRow>
          <DetailRow label="Created">
            <When at={delivery.createdAt} zone={zone} />
          </DetailRow>
          {delivery.nextAttemptAt && (
            <DetailRow label="Next attempt">
              <When at={delivery.nextAttemptAt} zone={zone} />
            </DetailRow>
          )}
          {delivery.txid && (
            <DetailRow label="Order">
              <OrderLink context={context} txid={delivery.txid} />
            </DetailRow>
          )}
          <DetailRow label="webhook-id">
            <span class="mono">{delivery.webhookId}</span>
          </DetailRow>
        </dl>
      </div>
    </div>
  );
}

interface AttemptProps {
  readonly attempt: WebhookAttemptResponse;
  readonly zone: string;
}

const Attempt = ({ attempt, zone }: AttemptProps) => (
  <section class="card mb-3" aria-labelledby={`attempt-${attempt.number}`}>
    <div class="card-body">
      <h3 class="card-title" id={`attempt-${attempt.number}`}>
        Attempt {attempt.number}: {attempt.statusCode ?? 'no response'} after{' '}
        {attempt.durationMs.toLocaleString('en')} ms
      </h3>
      <p>
        <When at={attempt.startedAt} zone={zone} />. {attempt.error ?? 'Accepted by the endpoint.'}
      </p>
      <Head label={`Request of attempt ${attempt.number}`} text={attempt.requestHead} />
      <Head label={`Response to attempt ${attempt.number}`} text={attempt.responseHead} />
    </div>
  </section>
);

/** Request or response as plain text. Focusable, so that it can be scrolled by keyboard. */
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
