import type { ApiKey, Scope } from '../../database/merchants/api-key.entity.js';
import type { WebhookEndpoint } from '../../database/notifications/webhook-endpoint.entity.js';
import { API_VERSIONS } from '../../common/api-version.js';
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
  'refunds:read': 'read refunds',
  'refunds:write': 'request and cancel refunds',
  'events:read': 'read events with orders and payers, and choose who receives them',
  'notifications:read': 'read webhooks and email recipients',
  'notifications:write': 'change webhooks and email recipients',
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
    title: `Create a ${page.context.access.mode} key`,
    problems: page.problems,
    children: <KeyFields {...page} />,
    button: 'Create key',
    back: base(page.context),
  });

function KeyFields({ context, form, problems }: NewKeyPage) {
  const field = formFields(form, problems);
  return (
    <>
      <FormField
        {...field('name')}
        label="Name"
        hint="For your reference, for example the program that uses it."
        maxLength={140}
        autocomplete="off"
      />
      <Checks
        {...field('scopes')}
        label="Permissions"
        options={scopesOf(context.access.role).map((scope) => [
          scope,
          `${SCOPE_NAMES[scope]} (${scope})`,
        ])}
        chosen={form.getAll('scopes')}
      />
      <Choice
        {...field('apiVersion')}
        label="API version"
        hint="Default for requests without a version."
        options={API_VERSIONS.toReversed().map((version) => [version, version])}
      />
      <Day
        {...field('expires')}
        label="Last day"
        hint={`The key works until the end of this day in ${context.access.timeZone}. Leave empty for no expiry.`}
        isOptional
      />
      <Area
        {...field('allowedIps')}
        label="Allowed IP addresses"
        hint="Addresses or ranges such as 192.0.2.0/24, one per line. Leave empty to allow all."
        isOptional
      />
    </>
  );
}

interface Rolled {
  /** The replaced key. */
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
        The previous key, ending in <span class="mono">{rolled.key.hint}</span>,{' '}
        {rolled.hours === 0 ? 'is revoked.' : `works for another ${durationOf(rolled.hours)}.`}
      </p>
    ),
  });

const durationOf = (hours: number): string => {
  if (hours === 1) return 'hour';
  return hours === 24 ? 'day' : `${hours / 24} days`;
};

export const renderKeyRoll = (context: MerchantContext, key: ApiKey, problems?: Problems): string =>
  renderForm({
    context,
    title: 'Roll this key',
    subtitle: <Typed text={key.name} />,
    problems,
    intro: (
      <p>
        You get a new key with the same settings. Both keys work during the overlap, so that you can
        update your program without downtime.
      </p>
    ),
    children: (
      <Choice
        name="overlapHours"
        label={`The current key, ending in ${key.hint}, works`}
        value={OVERLAPS[0]}
        options={OVERLAPS.map((hours) => [hours, overlapName(Number(hours))])}
        problem={problems?.['overlapHours']}
      />
    ),
    button: 'Roll key',
    back: base(context),
  });

const overlapName = (hours: number): string =>
  hours === 0 ? 'no longer (it was leaked)' : `for another ${durationOf(hours)}`;

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
          <Typed text={key.name} />, ending in <span class="mono">{key.hint}</span>, stops working
          within 5 seconds. This cannot be undone.
        </p>
        {endpointsOf(key, endpoints).length > 0 && (
          <div class="mb-3">
            This key created webhook endpoints. They stay active until you disable them:
            <EndpointsOf context={context} apiKey={key} endpoints={endpoints} />
          </div>
        )}
      </>
    ),
    button: 'Revoke key',
    back: base(context),
  });
