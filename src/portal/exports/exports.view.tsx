import { selfContained } from '../../common/markup.js';
import type { ExportStatus } from '../../database/exports/export.entity.js';
import type { Manifest } from '../../exports/manifest.js';
import type { SignedInContext } from '../../people/portal-context.js';
import { CsrfField } from '../kit/form-components.js';
import { type Badge, Tag, badgeOf } from '../kit/status.js';
import { numberText, TextValue, TimeValue, zoneText } from '../kit/values.js';
import { renderPage } from '../layout/shell.view.js';
import type { OrdersAccess } from '../order-list/orders-access.js';
import type { ListedExport } from './export-pages.service.js';

/** Page reload without JavaScript; with it, only the list is refreshed. */
const REFRESH_SECONDS = 10;

const BADGES: Readonly<Record<ExportStatus, Badge>> = {
  queued: { label: 'Waiting', tone: 'busy', icon: 'clock' },
  running: { label: 'Creating', tone: 'busy', icon: 'busy' },
  ready: { label: 'Ready', tone: 'good', icon: 'check' },
  failed: { label: 'Failed', tone: 'bad', icon: 'cross' },
  cancelled: { label: 'Cancelled', tone: '', icon: 'ended' },
};

const isInProgress = ({ status }: ListedExport): boolean =>
  status === 'queued' || status === 'running';

export function renderExports(
  context: SignedInContext,
  access: OrdersAccess,
  all: readonly ListedExport[],
  now: Date,
): string {
  const isBusy = all.some(isInProgress);
  return renderPage({
    context,
    title: 'Downloads',
    subtitle: (
      <>
        The latest 20 large files, available for 7 days. Times in {zoneText(access.timeZone, now)}
      </>
    ),
    head: isBusy && (
      <noscript>
        <meta http-equiv="refresh" content={String(REFRESH_SECONDS)} />
      </noscript>
    ),
    children: (
      <div data-refreshed {...(isBusy ? { 'data-refresh': true } : {})}>
        {all.length === 0 ? (
          <Nothing access={access} />
        ) : (
          <div class="card">
            <List context={context} access={access} all={all} />
          </div>
        )}
      </div>
    ),
  });
}

const Nothing = ({ access }: { readonly access: OrdersAccess }) => (
  <div class="card">
    <div class="nothing">
      <h2>No large files yet</h2>
      <p>
        Filter the <a href={`${access.base}/orders`}>orders</a> and choose Download CSV. Files with
        more than 100,000 rows are created in the background and appear here.
      </p>
    </div>
  </div>
);

interface ListProps {
  readonly context: SignedInContext;
  readonly access: OrdersAccess;
  readonly all: readonly ListedExport[];
}

const List = ({ context, access, all }: ListProps) => (
  <div class="table-responsive" role="region" aria-label="Large files" tabindex={0}>
    <table class="table exports mb-0">
      <caption class="visually-hidden">Large files, newest first</caption>
      <thead>
        <tr>
          {['Requested', 'Filter', 'State', 'File', 'Available until'].map((head) => (
            <th scope="col">{head}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {all.map((each) => (
          <tr>
            <td>
              <TimeValue at={each.createdAt} timeZone={access.timeZone} />
              <div class="text-secondary">
                <TextValue text={each.askedBy} />
              </div>
            </td>
            <td>
              <a href={`${access.base}/orders${each.query && `?${each.query}`}`}>
                {each.query ? <bdi>{selfContained(labelOf(each.query))}</bdi> : 'All orders'}
              </a>
            </td>
            <td>
              <Tag {...badgeOf(BADGES, each.status)} />
            </td>
            <td>
              <File context={context} access={access} each={each} />
            </td>
            <td>
              {each.expiresAt && <TimeValue at={each.expiresAt} timeZone={access.timeZone} />}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** "status: paid, provider: sandbox". */
const labelOf = (query: string): string =>
  [...new URLSearchParams(query)].map(([name, value]) => `${name}: ${value}`).join(', ');

interface FileProps {
  readonly context: SignedInContext;
  readonly access: OrdersAccess;
  readonly each: ListedExport;
}

function File({ context, access, each }: FileProps) {
  const path = `${access.base}/exports/${each.id}`;
  if (isInProgress(each)) return <Progress context={context} path={path} each={each} />;
  if (each.status === 'failed') return <>The file could not be created. Request it again.</>;
  if (!each.manifest) return <TextValue text={null} />;
  return <Ready path={path} manifest={each.manifest} />;
}

interface ProgressProps {
  readonly context: SignedInContext;
  readonly path: string;
  readonly each: ListedExport;
}

const Progress = ({ context, path, each: { rowsDone, rowsTotal } }: ProgressProps) => (
  <>
    <progress value={rowsDone} max={rowsTotal || 1} aria-label="Rows written" />
    <div>
      {numberText(rowsDone)} {rowsTotal === null ? 'rows' : `of ${numberText(rowsTotal)} rows`}
    </div>
    <form method="post" action={`${path}/cancel`} data-once>
      <CsrfField csrf={context.csrf} />
      <button class="btn btn-sm mt-1">Cancel</button>
    </form>
  </>
);

const Ready = ({ path, manifest }: { readonly path: string; readonly manifest: Manifest }) => (
  <>
    <a href={`${path}/file.csv`}>{manifest.file}</a>
    <div>
      {numberText(manifest.rows)} rows, {sizeText(manifest.bytes)},{' '}
      {manifest.preset === 'excel' ? `Excel (${manifest.locale})` : 'for a program'},{' '}
      <a href={`${path}/manifest.json`}>manifest</a>
    </div>
    <div class="text-secondary sha256">SHA-256 {manifest.sha256}</div>
  </>
);

/** "1.4 MB". */
function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  const isSmall = bytes < 1_000_000;
  const size = (bytes / (isSmall ? 1_000 : 1_000_000)).toLocaleString('en', {
    maximumFractionDigits: 1,
  });
  return `${size} ${isSmall ? 'kB' : 'MB'}`;
}
