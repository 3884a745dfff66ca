import type { ComponentChildren } from 'preact';
import { render } from 'preact-render-to-string';
import { API_VERSIONS, type ApiVersion, NEWEST_API_VERSION } from '../common/api-version.js';
import { type AssetName, asset } from './docs-assets.js';

const PAGES = { Reference: '/docs', Errors: '/errors', Changelog: '/changelog' } as const;

interface PageProps {
  readonly title: string;
  readonly current?: keyof typeof PAGES;
  readonly children: ComponentChildren;
}

interface DocumentProps extends PageProps {
  readonly styles: readonly string[];
  readonly scripts: readonly string[];
}

const hrefsOf = async (names: readonly AssetName[]): Promise<string[]> =>
  (await Promise.all(names.map(asset))).map(({ href }) => href);

/** A documentation page as HTML. */
export async function renderDocsPage(
  page: PageProps,
  loads: readonly AssetName[] = [],
): Promise<string> {
  const isStyle = (name: AssetName): boolean => name.endsWith('.css');
  const styles = await hrefsOf([...loads.filter(isStyle), 'docs.css']);
  const scripts = await hrefsOf(loads.filter((name) => !isStyle(name)));
  return `<!doctype html>${render(<Document {...page} styles={styles} scripts={scripts} />)}`;
}

function Document({ title, current, styles, scripts, children }: DocumentProps) {
  return (
    <html lang="en" dir="ltr">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title} · Payment orders</title>
        <link rel="icon" href="data:," />
        {styles.map((href) => (
          <link key={href} rel="stylesheet" href={href} />
        ))}
        {scripts.map((src) => (
          <script key={src} src={src} defer />
        ))}
      </head>
      <body>
        <header class="top">
          <a class="brand" href="/">
            Payment orders
          </a>
          <nav aria-label="Documents">
            {Object.entries(PAGES).map(([name, href]) => (
              <a key={href} href={href} aria-current={name === current ? 'page' : undefined}>
                {name}
              </a>
            ))}
            <a href="/docs/openapi.json">OpenAPI</a>
          </nav>
        </header>
        {children}
      </body>
    </html>
  );
}

/** A sentence in which `words` between back quotes are code. */
export function Prose({ text }: { readonly text: string }) {
  return (
    <>{text.split('`').map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part))}</>
  );
}

/** OpenAPI document of an API version; the newest has a permanent name, too. */
export const documentHref = (version: ApiVersion): string => `/docs/openapi-${version}.json`;

const referenceHref = (version: ApiVersion): string =>
  version === NEWEST_API_VERSION ? PAGES.Reference : `/docs/${version}`;

/** Swagger UI renders the reference in the browser from the OpenAPI document. */
export const renderReferencePage = (version: ApiVersion): Promise<string> =>
  renderDocsPage(
    {
      title: version === NEWEST_API_VERSION ? 'Reference' : `Reference of version ${version}`,
      current: 'Reference',
      children: (
        <>
          <Versions current={version} />
          <div id="reference" data-document={documentHref(version)}>
            <noscript>
              <p class="page">
                The reference is drawn by a script. Without one, read{' '}
                <a href={documentHref(version)}>the OpenAPI document</a>.
              </p>
            </noscript>
          </div>
        </>
      ),
    },
    ['swagger-ui.css', 'swagger-ui-bundle.js', 'docs.js'],
  );

/** For readers whose key is pinned to an older version. */
const Versions = ({ current }: { readonly current: ApiVersion }) => (
  <nav class="versions" aria-label="Version of the contract">
    <span>Version</span>
    {API_VERSIONS.toReversed().map((version) => (
      <a
        key={version}
        href={referenceHref(version)}
        aria-current={version === current ? 'page' : undefined}
      >
        {version}
      </a>
    ))}
    <a href={documentHref(current)}>OpenAPI document of {current}</a>
  </nav>
);
