import type { ApiKey } from '../../database/merchants/api-key.entity.js';
import type { CallsOfKey } from '../../database/merchants/api-key.repository.js';
import type { WebhookEndpoint } from '../../database/notifications/webhook-endpoint.entity.js';
import { isUsableKey } from '../../merchants/api-keys.service.js';
import { scopesOf } from '../../merchants/scope-holders.js';
import { pathOf, type MerchantContext } from '../../people/portal-context.js';
import { Cell, Done, Empty, Rows, Typed, When, zoneNote } from '../kit/components.js';
import { Tag } from '../kit/status.js';
import { renderPage } from '../layout/shell.view.js';
import { EndpointsOf, endpointsOf } from './key-endpoints.view.js';

const COLUMNS = [
  'Key',
  'State',
  'Permissions',
  'Version',
  'Last used',
  'Deprecated calls',
  'Actions',
];

export interface KeysPage {
  readonly context: MerchantContext;
  readonly keys: readonly ApiKey[];
  /** Names of the creators, by user ID. */
  readonly makers: ReadonlyMap<string, string>;
  /** Enabled endpoints created with keys. */
  readonly endpoints: readonly WebhookEndpoint[];
  readonly calls: readonly CallsOfKey[];
  readonly now: Date;
  readonly done: unknown;
}

export function renderKeys(page: KeysPage): string {
  const { context, keys, now } = page;
  const usable = keys.filter((key) => isUsableKey(key, now));
  const over = keys.filter((key) => !isUsableKey(key, now));
  return renderPage({
    context,
    title: 'API keys',
    subtitle: `Keys of ${context.access.mode} mode. ${zoneNote(context.access.timeZone)}.`,
    actions: (
      <a class="btn btn-primary" href={`${pathOf(context.access)}/keys/new`}>
        Create a key{' '}
      </a>
    ),
    children: (
      <>
        <Done word={page.done} />
        <div class="card mb-3">
          {usable.length === 0 ? (
            <Empty title="No API keys yet">
              {' '}
              Create a key. It is shown once. Add it to the settings of your shop.{' '}
            </Empty>
          ) : (
            <KeyTable {...page} caption="Keys" keys={usable} />
          )}
        </div>
        {over.length > 0 && (
          <details
            class="card"
            open={over.some((key) => endpointsOf(key, page.endpoints).length > 0)}
          >
            <summary class="card-header">Inactive keys ({over.length})</summary>
            <KeyTable {...page} caption="Inactive keys" keys={over} />
          </details>
        )}
      </>
    ),
  });
}

const KeyTable = ({ caption, keys, ...page }: KeysPage & { readonly caption: string }) => (
  <Rows caption={caption} columns={COLUMNS}>
    {keys.map((key) => (
      <Row {...page} keys={keys} apiKey={key} />
    ))}
  </Rows>
);

/** `apiKey`, because Preact reserves the prop `key`. */
function Row({
  context,
  apiKey,
  makers,
  endpoints,
  calls,
  now,
}: KeysPage & { readonly apiKey: ApiKey }) {
  const zone = context.access.timeZone;
  const { id, name, hint, mode, scopes, allowedIps, apiVersion, lastUsedAt } = apiKey;
  return (
    <tr>
      <Cell label="Key" class="strong">
        <Typed text={name} />
        <div class="text-secondary mono">
          pos_{mode}_…{hint}
        </div>
        <Maker name={makers.get(apiKey.createdBy ?? '')} />
        <EndpointsOf context={context} apiKey={apiKey} endpoints={endpoints} />
      </Cell>
      <Cell label="State">
        <KeyState apiKey={apiKey} now={now} zone={zone} />
      </Cell>
      <Cell label="Permissions">
        <ul class="plain-list">
          {scopes.map((scope) => (
            <li>{scope}</li>
          ))}
        </ul>
        {allowedIps.length > 0 && (
          <div class="text-secondary">Only from {allowedIps.join(', ')}</div>
        )}
      </Cell>
      <Cell label="Version">{apiVersion}</Cell>
      <Cell label="Last used">
        <When at={lastUsedAt} zone={zone} />
      </Cell>
      <Cell label="Deprecated calls">
        <Calls calls={calls.filter(({ apiKeyId }) => apiKeyId === id)} />
      </Cell>
      <Cell label="Actions" class="actions">
        {isUsableKey(apiKey, now) && <Actions context={context} apiKey={apiKey} />}
      </Cell>
    </tr>
  );
}

/** Keys created on the command line have no creator. */
const Maker = ({ name }: { readonly name: string | undefined }) =>
  name === undefined ? null : (
    <div class="text-secondary">
      created by <Typed text={name} />
    </div>
  );

interface StateProps {
  readonly apiKey: ApiKey;
  readonly now: Date;
  readonly zone: string;
}

function KeyState({ apiKey: { revokedAt, expiresAt }, now, zone }: StateProps) {
  if (revokedAt) {
    return (
      <>
        <Tag label="Revoked" tone="idle" icon="ended" />
        <div>
          <When at={revokedAt} zone={zone} />
        </div>
      </>
    );
  }
  const isOver = expiresAt !== null && expiresAt <= now;
  return (
    <>
      {isOver ? (
        <Tag label="Expired" tone="idle" icon="ended" />
      ) : (
        <Tag label="Active" tone="good" icon="check" />
      )}
      <div>
        {expiresAt && !isOver && 'until '}
        {expiresAt && <When at={expiresAt} zone={zone} />}
      </div>
    </>
  );
}

/** Calls to deprecated operations in the last 30 days. */
function Calls({ calls }: { readonly calls: readonly CallsOfKey[] }) {
  if (calls.length === 0) return <span class="text-secondary">None in 30 days</span>;
  return (
    <ul class="plain-list">
      {calls.map(({ operation, calls: count }) => (
        <li>
          {count.toLocaleString('en')} × <span class="mono">{operation}</span>
        </li>
      ))}
    </ul>
  );
}

const Actions = ({
  context,
  apiKey: { id, name, scopes },
}: Pick<StateProps, 'apiKey'> & { readonly context: MerchantContext }) => (
  <>
    {scopes.every((scope) => scopesOf(context.access.role).includes(scope)) && (
      <a class="btn btn-sm" href={`${pathOf(context.access)}/keys/${id}/roll`}>
        Roll<span class="visually-hidden"> {name}</span>
      </a>
    )}
    <a class="btn btn-sm" href={`${pathOf(context.access)}/keys/${id}/revoke`}>
      Revoke<span class="visually-hidden"> {name}</span>
    </a>
  </>
);
