import type {
  WebhookEndpointResponse,
  WebhookEndpointWithSecretResponse,
} from '../../contract/webhook-endpoint.response.js';
import { PAIR_NAME_MAX, PAIR_VALUE_MAX } from '../../contract/optional-field.js';
import { EVENT_TYPES } from '../../database/notifications/event.entity.js';
import { API_VERSIONS } from '../../http/api-version.js';
import { mayHere, pathOf, type MerchantContext } from '../../people/portal-context.js';
import { Cell, Done, Empty, Rows, Typed, When, zoneNote } from '../kit/components.js';
import { Checks, Choice } from '../kit/fields.js';
import { formFields, FormField } from '../kit/form-components.js';
import type { Problems } from '../kit/form.js';
import { renderConfirm, renderForm, renderSecret } from '../layout/form-page.view.js';
import { renderPage } from '../layout/shell.view.js';
import { EndpointState, HeardEvents } from './webhook-state.view.js';

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
      <HeardEvents {...endpoint} />
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
  /** Those that are chosen. */
  readonly types: readonly string[];
}

const EndpointFields = ({ field, types }: FieldsProps) => (
  <>
    <FormField
      {...field('url')}
      label="Address"
      type="url"
      hint="https on port 443 or 8443 of a host that has public addresses only."
      maxLength={2_048}
      autocomplete="off"
    />
    <FormField
      {...field('description')}
      label="Note"
      hint="For your own eyes."
      maxLength={255}
      autocomplete="off"
      isOptional
    />
    <Checks
      {...field('eventTypes')}
      label="Events"
      hint="Without any, all are sent, also those that come later."
      options={EVENT_TYPES.map((type) => [type, type])}
      chosen={types}
    />
    <FormField
      {...field('optionalField')}
      label="Only orders with the field"
      hint="For one of several shops: the name of an optional field that your orders have, such as shop. Payouts are not sent then."
      maxLength={PAIR_NAME_MAX}
      autocomplete="off"
      isOptional
    />
    <FormField
      {...field('optionalFieldValue')}
      label="Its value"
      hint="The whole value, such as berlin."
      maxLength={PAIR_VALUE_MAX}
      autocomplete="off"
      isOptional
    />
    <Choice
      {...field('apiVersion')}
      label="Version"
      hint="The contract in which orders are written."
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
  problems?: Problems,
): string =>
  renderForm({
    context,
    title: 'Roll the secret',
    subtitle: <Typed text={endpoint.url} />,
    problems,
    intro: <p>You get a new secret. Meanwhile events are signed with both.</p>,
    children: (
      <FormField
        name="overlapHours"
        label="Hours"
        type="number"
        hint="For which the former secret signs too: 0 to 168. Write 0 when it has leaked."
        value="24"
        problem={problems?.['overlapHours']}
      />
    ),
    button: 'Roll it',
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
        <Typed text={endpoint.url} /> gets no more events. What is on its way is cancelled.
      </p>
    ),
    button: 'Delete it',
    back: `${base(context)}/${endpoint.id}`,
  });
