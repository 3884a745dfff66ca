import { API_VERSIONS } from '../../common/api-version.js';
import type { ApiKey, Scope } from '../../database/entities/api-key.entity.js';
import type { WebhookEndpoint } from '../../database/entities/webhook-endpoint.entity.js';
import type { MadeKey } from '../../merchants/api-keys.service.js';
import { scopesOf } from '../../merchants/scope-holders.js';
import { Field, PostForm } from '../layout/parts.js';
import { renderPage } from '../layout/shell.view.js';
import { pathOf, type PlacedVisit } from '../visit.js';
import { EndpointsOf, endpointsOf } from './key-endpoints.view.js';
import { Area, Checks, Choice, Day, Trouble } from './fields.js';
import type { Problems } from './form.js';
import { OVERLAPS } from './key.form.js';
import { renderConfirm, renderSecret, Typed } from './parts.js';

const SCOPE_NAMES: Readonly<Record<Scope, string>> = {
  'orders:read': 'read orders',
  'orders:write': 'create, pay and cancel orders',
  'payouts:read': 'read payouts and the balance',
  'events:read': 'read the event feed, and decide who is told of events',
  'notifications:read': 'read webhooks and mailboxes',
  'notifications:write': 'change webhooks and mailboxes',
};

const base = ({ place }: PlacedVisit): string => `${pathOf(place)}/keys`;

interface NewKeyPage {
  readonly visit: PlacedVisit;
  readonly form: URLSearchParams;
  readonly problems?: Problems;
}

export const renderNewKey = ({ visit, form, problems = {} }: NewKeyPage): string =>
  renderPage({
    visit,
    title: `Make a ${visit.place.mode} key`,
    children: (
      <div class="card form-card">
        <div class="card-body">
          <Trouble problems={problems} />
          <PostForm csrf={visit.csrf}>
            <KeyFields visit={visit} form={form} problems={problems} />
            <div class="d-flex gap-2">
              <button class="btn btn-primary">Make the key</button>
              <a class="btn" href={base(visit)}>
                Back
              </a>
            </div>
          </PostForm>
        </div>
      </div>
    ),
  });

const KeyFields = ({ visit, form, problems = {} }: NewKeyPage) => (
  <>
    <Field
      name="name"
      label="Name"
      hint="For your own eyes, such as the program that will use it."
      value={form.get('name') ?? ''}
      problem={problems['name']}
      maxLength={140}
      autocomplete="off"
    />
    <Checks
      name="scopes"
      label="It may"
      options={scopesOf(visit.place.role).map((scope) => [
        scope,
        `${SCOPE_NAMES[scope]} (${scope})`,
      ])}
      chosen={form.getAll('scopes')}
      problem={problems['scopes']}
    />
    <Choice
      name="apiVersion"
      label="Version"
      hint="The contract of requests that name none."
      options={API_VERSIONS.toReversed().map((version) => [version, version])}
      value={form.get('apiVersion') ?? ''}
      problem={problems['apiVersion']}
    />
    <Day
      name="expires"
      label="Last day"
      hint={`The key works until the end of this day in ${visit.place.timeZone}. Without one it works until it is revoked.`}
      value={form.get('expires') ?? ''}
      problem={problems['expires']}
      isOptional
    />
    <Area
      name="allowedIps"
      label="Only from these addresses"
      hint="IP addresses or ranges such as 192.0.2.0/24, one a line. Without any the key works from everywhere."
      value={form.get('allowedIps') ?? ''}
      problem={problems['allowedIps']}
      isOptional
    />
  </>
);

interface Rolled {
  /** The key that is replaced. */
  readonly key: ApiKey;
  readonly hours: number;
}

export const renderKeySecret = (
  visit: PlacedVisit,
  { key, secret }: MadeKey,
  rolled?: Rolled,
): string =>
  renderSecret({
    visit,
    title: 'Your new key',
    label: key.name,
    secret,
    back: base(visit),
    children: rolled && (
      <p>
        The former key, which ends with <span class="mono">{rolled.key.hint}</span>,{' '}
        {rolled.hours === 0 ? 'is revoked.' : `works for ${durationOf(rolled.hours)} more.`}
      </p>
    ),
  });

const durationOf = (hours: number): string => {
  if (hours === 1) return 'one hour';
  return hours === 24 ? 'one day' : `${hours / 24} days`;
};

export const renderKeyRoll = (visit: PlacedVisit, key: ApiKey, problems: Problems = {}): string =>
  renderPage({
    visit,
    title: 'Roll this key',
    subtitle: <Typed text={key.name} />,
    children: (
      <div class="card form-card">
        <div class="card-body">
          <Trouble problems={problems} />
          <p>
            You get a new key with the same settings. Meanwhile both work, so that your program can
            change over in peace.
          </p>
          <PostForm csrf={visit.csrf}>
            <Choice
              name="overlapHours"
              label={`The key that ends with ${key.hint} works`}
              value={OVERLAPS[0]}
              options={OVERLAPS.map((hours) => [hours, overlapName(Number(hours))])}
              problem={problems['overlapHours']}
            />
            <div class="d-flex gap-2">
              <button class="btn btn-primary">Roll it</button>
              <a class="btn" href={base(visit)}>
                Back
              </a>
            </div>
          </PostForm>
        </div>
      </div>
    ),
  });

const overlapName = (hours: number): string =>
  hours === 0 ? 'no longer: it leaked' : `for ${durationOf(hours)} more`;

export const renderKeyRevocation = (
  visit: PlacedVisit,
  key: ApiKey,
  endpoints: readonly WebhookEndpoint[],
): string =>
  renderConfirm({
    visit,
    title: 'Revoke this key?',
    children: (
      <>
        <p>
          Programs that use <Typed text={key.name} />, which ends with{' '}
          <span class="mono">{key.hint}</span>, are refused within 5 seconds. This cannot be taken
          back.
        </p>
        {endpointsOf(key, endpoints).length > 0 && (
          <div class="mb-3">
            The key made webhook endpoints. They go on until you switch them off:
            <EndpointsOf visit={visit} apiKey={key} endpoints={endpoints} />
          </div>
        )}
      </>
    ),
    button: 'Revoke it',
    back: base(visit),
  });
