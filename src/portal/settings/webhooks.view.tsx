import type {
  WebhookEndpointResponse,
  WebhookEndpointWithSecretResponse,
} from '../../contract/webhook-endpoint.response.js';
import { PAIR_NAME_MAX, PAIR_VALUE_MAX } from '../../contract/optional-field.js';
import { EVENT_TYPES } from '../../database/notifications/event.entity.js';
import { API_VERSIONS } from '../../common/api-version.js';
import { mayHere, pathOf, type MerchantContext } from '../../people/portal-context.js';
import { Cell, Done, Empty, Rows, Typed, When, zoneNote } from '../kit/components.js';
import { Checks, Choice } from '../kit/fields.js';
import { formFields, FormField } from '../kit/form-components.js';
import type { Problems } from '../kit/form.js';
import { renderConfirm, renderForm, renderSecret } from '../layout/form-page.view.js';
import { renderPage } from '../layout/shell.view.js';
import { EndpointState, SubscribedEvents } from './webhook-state.view.js';

const COLUMNS = ['URL', 'State', 'Events', 'Version', 'Failing since'];

const base = ({ access }: MerchantContext): string => `${pathOf(access)}/webhooks`;

export const renderEndpoints = (
  context: MerchantContext,
  endpoints: readonly WebhookEndpointResponse[],
  done: unknown,
): string =>
  renderPage({
    context,
    title: 'Webhooks',
    subtitle: `URLs that receive events in ${context.access.mode} mode. ${zoneNote(context.access.timeZone)}.`,
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
            <Empty title="No endpoints yet">
              {' '}
              Add the URL of your program. Each event is sent there as a signed POST request.{' '}
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
    <Cell label="URL" class="strong">
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
      <SubscribedEvents {...endpoint} />
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
  /** The endpoint to change; undefined = a new one. */
  readonly endpoint?: WebhookEndpointResponse;
}

export const renderEndpointForm = ({ context, form, endpoint, problems }: FormPage): string =>
  renderForm({
    context,
    title: endpoint ? 'Change the endpoint' : 'Add an endpoint',
    problems,
    children: (
      <EndpointFields field={formFields(form, problems)} types={form.getAll('eventTypes')} />
    ),
    button: endpoint ? 'Save' : 'Add',
    back: endpoint ? `${base(context)}/${endpoint.id}` : base(context),
  });

interface FieldsProps {
  readonly field: ReturnType<typeof formFields>;
  /** Selected event types. */
  readonly types: readonly string[];
}

const EndpointFields = ({ field, types }: FieldsProps) => (
  <>
    <FormField
      {...field('url')}
      label="URL"
      type="url"
      hint="https on port 443 or 8443. The host must have public IP addresses only."
      maxLength={2_048}
      autocomplete="off"
    />
    <FormField
      {...field('description')}
      label="Note"
      hint="For your reference."
      maxLength={255}
      autocomplete="off"
      isOptional
    />
    <Checks
      {...field('eventTypes')}
      label="Events"
      hint="Leave empty for all events, including future types."
      options={EVENT_TYPES.map((type) => [type, type])}
      chosen={types}
    />
    <FormField
      {...field('optionalField')}
      label="Only orders with the field"
      hint="To separate several shops: the name of an optional field of your orders, for example shop. Payout events are then not sent."
      maxLength={PAIR_NAME_MAX}
      autocomplete="off"
      isOptional
    />
    <FormField
      {...field('optionalFieldValue')}
      label="Its value"
      hint="The exact value, for example berlin."
      maxLength={PAIR_VALUE_MAX}
      autocomplete="off"
      isOptional
    />
    <Choice
      {...field('apiVersion')}
      label="API version"
      hint="Format of the orders in events."
      options={API_VERSIONS.toReversed().map((version) => [version, version])}
    />
  </>
);

export const renderWebhookSecret = (
  context: MerchantContext,
  endpoint: WebhookEndpointWithSecretResponse,
): string =>
  renderSecret({
    context,
    title: 'Endpoint secret',
    label: 'Secret',
    secret: endpoint.secret,
    back: `${base(context)}/${endpoint.id}`,
    children: (
      <p>
        Use it to verify the signature of events sent to <Typed text={endpoint.url} />.
        {endpoint.previousSecretUntil && (
          <>
            {' '}
            Events are also signed with the previous secret until{' '}
            <When at={endpoint.previousSecretUntil} zone={context.access.timeZone} />.
          </>
        )}
      </p>
    ),
  });

export const renderRoll = (
  context: MerchantContext,
  endpoint: WebhookEndpointResponse,
  problems?: Problems,
): string =>
  renderForm({
    context,
    title: 'Roll the secret',
    subtitle: <Typed text={endpoint.url} />,
    problems,
    intro: <p>You get a new secret. Events are signed with both secrets during the overlap.</p>,
    children: (
      <FormField
        name="overlapHours"
        label="Overlap in hours"
        type="number"
        hint="0 to 168. Enter 0 if the secret was leaked."
        value="24"
        problem={problems?.['overlapHours']}
      />
    ),
    button: 'Roll secret',
    back: `${base(context)}/${endpoint.id}`,
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
        <Typed text={endpoint.url} /> gets no more events. Pending deliveries are cancelled.
      </p>
    ),
    button: 'Delete endpoint',
    back: `${base(context)}/${endpoint.id}`,
  });
