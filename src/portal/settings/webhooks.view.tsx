import { API_VERSIONS } from '../../common/api-version.js';
import { EVENT_TYPES } from '../../database/entities/event.entity.js';
import type {
  EndpointResponse,
  EndpointWithSecret,
} from '../../notifications/webhooks/dto/webhook-endpoint.response.js';
import { Field, PostForm } from '../layout/parts.js';
import { renderPage } from '../layout/shell.view.js';
import { mayHere, pathOf, type PlacedVisit } from '../visit.js';
import { Checks, Choice, Trouble } from './fields.js';
import type { Problems } from './form.js';
import {
  Cell,
  Done,
  Empty,
  renderConfirm,
  renderSecret,
  Rows,
  Typed,
  When,
  zoneNote,
} from './parts.js';
import { EndpointState } from './webhook-state.view.js';

const COLUMNS = ['Address', 'State', 'Events', 'Version', 'Failing since'];

const base = ({ place }: PlacedVisit): string => `${pathOf(place)}/webhooks`;

export const renderEndpoints = (
  visit: PlacedVisit,
  endpoints: readonly EndpointResponse[],
  done: unknown,
): string =>
  renderPage({
    visit,
    title: 'Webhooks',
    subtitle: `Where your programs hear of what happens in ${visit.place.mode} mode. ${zoneNote(visit.place.timeZone)}.`,
    actions: mayHere(visit, 'webhooks.manage') && (
      <a class="btn btn-primary" href={`${base(visit)}/new`}>
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
                <Row visit={visit} endpoint={endpoint} />
              ))}
            </Rows>
          )}
        </div>
      </>
    ),
  });

interface RowProps {
  readonly visit: PlacedVisit;
  readonly endpoint: EndpointResponse;
}

const Row = ({ visit, endpoint }: RowProps) => (
  <tr>
    <Cell label="Address" class="strong">
      <a href={`${base(visit)}/${endpoint.id}`}>
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
      <When at={endpoint.failingSince} zone={visit.place.timeZone} never="Not failing" />
    </Cell>
  </tr>
);

interface FormPage {
  readonly visit: PlacedVisit;
  readonly form: URLSearchParams;
  readonly problems?: Problems;
  /** The endpoint that is changed; a new one without. */
  readonly endpoint?: EndpointResponse;
}

export const renderEndpointForm = ({ visit, form, endpoint, problems = {} }: FormPage): string =>
  renderPage({
    visit,
    title: endpoint ? 'Change the endpoint' : 'Add an endpoint',
    children: (
      <div class="card form-card">
        <div class="card-body">
          <Trouble problems={problems} />
          <PostForm csrf={visit.csrf}>
            <EndpointFields form={form} problems={problems} />
            <div class="d-flex gap-2">
              <button class="btn btn-primary">{endpoint ? 'Save' : 'Add'}</button>
              <a class="btn" href={endpoint ? `${base(visit)}/${endpoint.id}` : base(visit)}>
                Back
              </a>
            </div>
          </PostForm>
        </div>
      </div>
    ),
  });

const EndpointFields = ({ form, problems }: Required<Pick<FormPage, 'form' | 'problems'>>) => (
  <>
    <Field
      name="url"
      label="Address"
      type="url"
      hint="https on port 443 or 8443 of a host that has public addresses only."
      value={form.get('url') ?? ''}
      problem={problems['url']}
      maxLength={2_048}
      autocomplete="off"
    />
    <Field
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

export const renderWebhookSecret = (visit: PlacedVisit, endpoint: EndpointWithSecret): string =>
  renderSecret({
    visit,
    title: 'The endpoint’s secret',
    label: 'Secret',
    secret: endpoint.secret,
    back: `${base(visit)}/${endpoint.id}`,
    children: (
      <p>
        With it your program checks that events at <Typed text={endpoint.url} /> come from here.
        {endpoint.previousSecretUntil && (
          <>
            {' '}
            The former secret signs too until{' '}
            <When at={endpoint.previousSecretUntil} zone={visit.place.timeZone} />.
          </>
        )}
      </p>
    ),
  });

export const renderRoll = (
  visit: PlacedVisit,
  endpoint: EndpointResponse,
  problems: Problems = {},
): string =>
  renderPage({
    visit,
    title: 'Roll the secret',
    subtitle: <Typed text={endpoint.url} />,
    children: (
      <div class="card form-card">
        <div class="card-body">
          <Trouble problems={problems} />
          <p>You get a new secret. Meanwhile events are signed with both.</p>
          <PostForm csrf={visit.csrf}>
            <Field
              name="overlapHours"
              label="Hours"
              type="number"
              hint="For which the former secret signs too: 0 to 168. Write 0 when it has leaked."
              value="24"
              problem={problems['overlapHours']}
            />
            <div class="d-flex gap-2">
              <button class="btn btn-primary">Roll it</button>
              <a class="btn" href={`${base(visit)}/${endpoint.id}`}>
                Back
              </a>
            </div>
          </PostForm>
        </div>
      </div>
    ),
  });

export const renderEndpointDeletion = (visit: PlacedVisit, endpoint: EndpointResponse): string =>
  renderConfirm({
    visit,
    title: 'Delete this endpoint?',
    children: (
      <p>
        <Typed text={endpoint.url} /> gets no more events. What is on its way is cancelled.
      </p>
    ),
    button: 'Delete it',
    back: `${base(visit)}/${endpoint.id}`,
  });
