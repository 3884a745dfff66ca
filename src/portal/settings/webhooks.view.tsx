import type {
  WebhookEndpointResponse,
  WebhookEndpointWithSecretResponse,
} from '../../contract/webhook-endpoint.response.js';
import { EVENT_TYPES } from '../../database/notifications/event.entity.js';
import { API_VERSIONS } from '../../http/api-version.js';
import { mayHere, pathOf, type MerchantContext } from '../../people/portal-context.js';
import { Cell, Done, Empty, Rows, Typed, When, zoneNote } from '../kit/components.js';
import { Checks, Choice, FormCard } from '../kit/fields.js';
import { FormField, PostForm } from '../kit/form-components.js';
import type { Problems } from '../kit/form.js';
import { renderConfirm, renderSecret } from '../layout/confirm.view.js';
import { renderPage } from '../layout/shell.view.js';
import { EndpointState } from './webhook-state.view.js';

const COLUMNS = ['Address', 'State', 'Events', 'Version', 'Failing since'];

const base = ({ access }: MerchantContext): string => `${pathOf(access)}/webhooks`;

export const renderEndpoints = (
  context: MerchantContext,
  endpoints: readonly WebhookEndpointResponse[],
  done: unknown,
): string =>
  renderPage({
    context,
    title: 'Webhooks',
    subtitle: `Where your programs hear of what happens in ${context.access.mode} mode. ${zoneNote(context.access.timeZone)}.`,
    actions: mayHere(context, 'webhooks.manage') && (
      <a class="btn btn-primary" href={`${base(context)}/new`}>
        Add an endpoint
      </a>
    ),
    children: (
      <>
        <Done word={done} />
        <div class="card">
          {endpoints.length === 0 ? (
            <Empty title="No endpoint yet">
              Add the address of a program, and every event is posted there with a signature.
            </Empty>
          ) : (
            <Rows caption="Endpoints" columns={COLUMNS}>
              {endpoints.map((endpoint) => (
                <Row context={context} endpoint={endpoint} />
              ))}
            </Rows>
          )}
        </div>
      </>
    ),
  });

interface RowProps {
  readonly context: MerchantContext;
  readonly endpoint: WebhookEndpointResponse;
}

const Row = ({ context, endpoint }: RowProps) => (
  <tr>
    <Cell label="Address" class="strong">
      <a href={`${base(context)}/${endpoint.id}`}>
        <Typed text={endpoint.url} />
      </a>
      {endpoint.description && (
        <div class="text-secondary">
          <Typed text={endpoint.description} />
        </div>
      )}
    </Cell>
    <Cell label="State">
      <EndpointState {...endpoint} />
    </Cell>
    <Cell label="Events">
      {endpoint.eventTypes.length === 0 ? 'All' : endpoint.eventTypes.join(', ')}
    </Cell>
    <Cell label="Version">{endpoint.apiVersion}</Cell>
    <Cell label="Failing since">
      <When at={endpoint.failingSince} zone={context.access.timeZone} never="Not failing" />
    </Cell>
  </tr>
);

interface FormPage {
  readonly context: MerchantContext;
  readonly form: URLSearchParams;
  readonly problems?: Problems;
  /** The endpoint that is changed; a new one without. */
  readonly endpoint?: WebhookEndpointResponse;
}

export const renderEndpointForm = ({ context, form, endpoint, problems = {} }: FormPage): string =>
  renderPage({
    context,
    title: endpoint ? 'Change the endpoint' : 'Add an endpoint',
    children: (
      <FormCard problems={problems}>
        <PostForm csrf={context.csrf}>
          <EndpointFields form={form} problems={problems} />
          <div class="d-flex gap-2">
            <button class="btn btn-primary">{endpoint ? 'Save' : 'Add'}</button>
            <a class="btn" href={endpoint ? `${base(context)}/${endpoint.id}` : base(context)}>
              Back
            </a>
          </div>
        </PostForm>
      </FormCard>
    ),
  });

const EndpointFields = ({ form, problems }: Required<Pick<FormPage, 'form' | 'problems'>>) => (
  <>
    <FormField
      name="url"
      label="Address"
      type="url"
      hint="https on port 443 or 8443 of a host that has public addresses only."
      value={form.get('url') ?? ''}
      problem={problems['url']}
      maxLength={2_048}
      autocomplete="off"
    />
    <FormField
      name="description"
      label="Note"
      hint="For your own eyes."
      value={form.get('description') ?? ''}
      problem={problems['description']}
      maxLength={255}
      autocomplete="off"
      isOptional
    />
    <Checks
      name="eventTypes"
      label="Events"
      hint="Without any, all are sent, also those that come later."
      options={EVENT_TYPES.map((type) => [type, type])}
      chosen={form.getAll('eventTypes')}
      problem={problems['eventTypes']}
    />
    <Choice
      name="apiVersion"
      label="Version"
      hint="The contract in which orders are written."
      options={API_VERSIONS.toReversed().map((version) => [version, version])}
      value={form.get('apiVersion') ?? ''}
      problem={problems['apiVersion']}
    />
  </>
);

export const renderWebhookSecret = (
  context: MerchantContext,
  endpoint: WebhookEndpointWithSecretResponse,
): string =>
  renderSecret({
    context,
    title: 'The endpoint’s secret',
    label: 'Secret',
    secret: endpoint.secret,
    back: `${base(context)}/${endpoint.id}`,
    children: (
      <p>
        With it your program checks that events at <Typed text={endpoint.url} /> come from here.
        {endpoint.previousSecretUntil && (
          <>
            {' '}
            The former secret signs too until{' '}
            <When at={endpoint.previousSecretUntil} zone={context.access.timeZone} />.
          </>
        )}
      </p>
    ),
  });

export const renderRoll = (
  context: MerchantContext,
  endpoint: WebhookEndpointResponse,
  problems: Problems = {},
): string =>
  renderPage({
    context,
    title: 'Roll the secret',
    subtitle: <Typed text={endpoint.url} />,
    children: (
      <FormCard problems={problems}>
        <p>You get a new secret. Meanwhile events are signed with both.</p>
        <PostForm csrf={context.csrf}>
          <FormField
            name="overlapHours"
            label="Hours"
            type="number"
            hint="For which the former secret signs too: 0 to 168. Write 0 when it has leaked."
            value="24"
            problem={problems['overlapHours']}
          />
          <div class="d-flex gap-2">
            <button class="btn btn-primary">Roll it</button>
            <a class="btn" href={`${base(context)}/${endpoint.id}`}>
              Back
            </a>
          </div>
        </PostForm>
      </FormCard>
    ),
  });

export const renderEndpointDeletion = (
  context: MerchantContext,
  endpoint: WebhookEndpointResponse,
): string =>
  renderConfirm({
    context,
    title: 'Delete this endpoint?',
    children: (
      <p>
        <Typed text={endpoint.url} /> gets no more events. What is on its way is cancelled.
      </p>
    ),
    button: 'Delete it',
    back: `${base(context)}/${endpoint.id}`,
  });
