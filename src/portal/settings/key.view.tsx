import type { ApiKey, Scope } from '../../database/merchants/api-key.entity.js';
import type { WebhookEndpoint } from '../../database/notifications/webhook-endpoint.entity.js';
import { API_VERSIONS } from '../../http/api-version.js';
import type { MadeKey } from '../../merchants/api-keys.service.js';
import { scopesOf } from '../../merchants/scope-holders.js';
import { pathOf, type MerchantContext } from '../../people/portal-context.js';
import { Typed } from '../kit/components.js';
import { Area, Checks, Choice, Day } from '../kit/fields.js';
import { formFields, FormField } from '../kit/form-components.js';
import type { Problems } from '../kit/form.js';
import { renderConfirm, renderForm, renderSecret } from '../layout/form-page.view.js';
import { EndpointsOf, endpointsOf } from './key-endpoints.view.js';
import { OVERLAPS } from './key.form.js';

const SCOPE_NAMES: Readonly<Record<Scope, string>> = {
  'orders:read': 'read orders',
  'orders:write': 'create, pay and cancel orders',
  'payouts:read': 'read payouts and the balance',
  'events:read': 'read the event feed, and decide who is told of events',
  'notifications:read': 'read webhooks and mailboxes',
  'notifications:write': 'change webhooks and mailboxes',
};

const base = ({ access }: MerchantContext): string => `${pathOf(access)}/keys`;

interface NewKeyPage {
  readonly context: MerchantContext;
  readonly form: URLSearchParams;
  readonly problems?: Problems;
}

export const renderNewKey = (page: NewKeyPage): string =>
  renderForm({
    context: page.context,
    title: `Make a ${page.context.access.mode} key`,
    problems: page.problems,
    children: <KeyFields {...page} />,
    button: 'Make the key',
    back: base(page.context),
  });

function KeyFields({ context, form, problems }: NewKeyPage) {
  const field = formFields(form, problems);
  return (
    <>
      <FormField
        {...field('name')}
        label="Name"
        hint="For your own eyes, such as the program that will use it."
        maxLength={140}
        autocomplete="off"
      />
      <Checks
        {...field('scopes')}
        label="It may"
        options={scopesOf(context.access.role).map((scope) => [
          scope,
          `${SCOPE_NAMES[scope]} (${scope})`,
        ])}
        chosen={form.getAll('scopes')}
      />
      <Choice
        {...field('apiVersion')}
        label="Version"
        hint="The contract of requests that name none."
        options={API_VERSIONS.toReversed().map((version) => [version, version])}
      />
      <Day
        {...field('expires')}
        label="Last day"
        hint={`The key works until the end of this day in ${context.access.timeZone}. Without one it works until it is revoked.`}
        isOptional
      />
      <Area
        {...field('allowedIps')}
        label="Only from these addresses"
        hint="IP addresses or ranges such as 192.0.2.0/24, one a line. Without any the key works from everywhere."
        isOptional
      />
    </>
  );
}

interface Rolled {
  /** The key that is replaced. */
  readonly key: ApiKey;
  readonly hours: number;
}

export const renderKeySecret = (
  context: MerchantContext,
  { key, secret }: MadeKey,
  rolled?: Rolled,
): string =>
  renderSecret({
    context,
    title: 'Your new key',
    label: key.name,
    secret,
    back: base(context),
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

export const renderKeyRoll = (context: MerchantContext, key: ApiKey, problems?: Problems): string =>
  renderForm({
    context,
    title: 'Roll this key',
    subtitle: <Typed text={key.name} />,
    problems,
    intro: (
      <p>
        You get a new key with the same settings. Meanwhile both work, so that your program can
        change over in peace.
      </p>
    ),
    children: (
      <Choice
        name="overlapHours"
        label={`The key that ends with ${key.hint} works`}
        value={OVERLAPS[0]}
        options={OVERLAPS.map((hours) => [hours, overlapName(Number(hours))])}
        problem={problems?.['overlapHours']}
      />
    ),
    button: 'Roll it',
    back: base(context),
  });

const overlapName = (hours: number): string =>
  hours === 0 ? 'no longer: it leaked' : `for ${durationOf(hours)} more`;

export const renderKeyRevocation = (
  context: MerchantContext,
  key: ApiKey,
  endpoints: readonly WebhookEndpoint[],
): string =>
  renderConfirm({
    context,
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
            <EndpointsOf context={context} apiKey={key} endpoints={endpoints} />
          </div>
        )}
      </>
    ),
    button: 'Revoke it',
    back: base(context),
  });
