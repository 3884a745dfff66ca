import { dateFormats } from '../common/time/date-formats.js';
import { type ApiVersion, NEWEST_API_VERSION } from '../common/api-version.js';
import { IN_EVERY_VERSION, RELEASES } from '../contract/versions/releases.js';
import { DEPRECATED_SINCE, SUNSET } from '../merchants/deprecated.interceptor.js';
import { documentHref, Prose, renderDocsPage } from './docs.view.js';
import type { DocumentedOperation } from './openapi/openapi.js';

const DAY = dateFormats('en', { dateStyle: 'long' })('UTC');

export const renderChangelog = (deprecated: readonly DocumentedOperation[]): Promise<string> =>
  renderDocsPage({
    title: 'Changelog',
    current: 'Changelog',
    children: (
      <main class="page">
        <h1>Changelog</h1>
        <p class="lead">
          A version is selected with the header <code>Api-Version: {NEWEST_API_VERSION}</code>. A
          request without it gets the version pinned on its API key, which is the newest of the day
          on which the key was made. Every answer names its version in the same header.
        </p>
        {RELEASES.toReversed().map(({ version, changes }) => (
          <Release key={version} version={version} changes={changes} />
        ))}
        <section>
          <h2 id="every-version">In every version</h2>
          <p>
            New operations, parameters and headers are added to every version; clients that do not
            use them are not affected.
          </p>
          <Changes changes={IN_EVERY_VERSION} />
        </section>
        <Deprecations operations={deprecated} />
      </main>
    ),
  });

function Release({ version, changes }: { version: ApiVersion; changes: readonly string[] }) {
  return (
    <section>
      <h2 id={`v${version}`}>
        {version} {version === NEWEST_API_VERSION && <span class="badge">newest</span>}
      </h2>
      <Changes changes={changes} />
      <p>
        <a href={documentHref(version)}>OpenAPI document of {version}</a>
      </p>
    </section>
  );
}

const Changes = ({ changes }: { readonly changes: readonly string[] }) => (
  <ul>
    {changes.map((change) => (
      <li key={change}>
        <Prose text={change} />
      </li>
    ))}
  </ul>
);

function Deprecations({ operations }: { operations: readonly DocumentedOperation[] }) {
  return (
    <section>
      <h2 id="deprecated">Deprecated operations</h2>
      <p>
        Deprecated since <Day date={DEPRECATED_SINCE} />. They answer as before until{' '}
        <Day date={SUNSET} /> at least, and say so in the headers <code>Deprecation</code>,{' '}
        <code>Sunset</code> and <code>Link</code>. In version 1.0 they are not deprecated.
      </p>
      <dl class="codes">
        {operations.map(({ name, operation }) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>
              <Prose text={operation.description ?? ''} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const Day = ({ date }: { readonly date: Date }) => (
  <time dateTime={date.toISOString().slice(0, 10)}>{DAY.format(date)}</time>
);
