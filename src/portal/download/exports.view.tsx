import type { ExportStatus } from '../../database/entities/export.entity.js';
import { selfContained } from '../../common/markup.js';
import type { HistoryPlace } from '../history/history-place.js';
import { CsrfField } from '../layout/parts.js';
import { renderPage } from '../layout/shell.view.js';
import { type Look, Tag } from '../layout/status.js';
import { numberText, Text, When, zoneText } from '../layout/values.js';
import type { SignedVisit } from '../visit.js';
import type { ListedExport } from './download-pages.service.js';
import type { Manifest } from './manifest.js';

/** For browsers without scripts; with them, the list is renewed in its place. */
const REFRESH_SECONDS = 10;

const LOOKS: Readonly<Record<ExportStatus, Look>> = {
  queued: { word: 'Waiting', tone: 'busy', icon: 'clock' },
  running: { word: 'Being written', tone: 'busy', icon: 'busy' },
  ready: { word: 'Ready', tone: 'good', icon: 'check' },
  failed: { word: 'Failed', tone: 'bad', icon: 'cross' },
  cancelled: { word: 'Cancelled', tone: '', icon: 'ended' },
};

const isUnderWay = ({ status }: ListedExport): boolean =>
  status === 'queued' || status === 'running';

export function renderExports(
  visit: SignedVisit,
  place: HistoryPlace,
  all: readonly ListedExport[],
  now: Date,
): string {
  const isBusy = all.some(isUnderWay);
  return renderPage({
    visit,
    title: 'Downloads',
    subtitle: (
      <>The newest 20 large files, kept for 7 days. Times in {zoneText(place.timeZone, now)}</>
    ),
    head: isBusy && (
      <noscript>
        <meta http-equiv="refresh" content={String(REFRESH_SECONDS)} />
      </noscript>
    ),
    children: (
      <div data-refreshed {...(isBusy ? { 'data-refresh': true } : {})}>
        {all.length === 0 ? (
          <Nothing place={place} />
        ) : (
          <div class="card">
            <List visit={visit} place={place} all={all} />
          </div>
        )}
      </div>
    ),
  });
}

const Nothing = ({ place }: { readonly place: HistoryPlace }) => (
  <div class="card">
    <div class="nothing">
      <h2>No large file yet</h2>
      <p>
        Filter the <a href={`${place.base}/orders`}>orders</a> and choose Download CSV. Files of
        more than 100,000 rows are written in the background and wait for you here.
      </p>
    </div>
  </div>
);

interface ListProps {
  readonly visit: SignedVisit;
  readonly place: HistoryPlace;
  readonly all: readonly ListedExport[];
}

const List = ({ visit, place, all }: ListProps) => (
  <div class="table-responsive" role="region" aria-label="Large files" tabindex={0}>
    <table class="table exports mb-0">
      <caption class="visually-hidden">Large files, the newest first</caption>
      <thead>
        <tr>
          {['Asked for', 'Filter', 'State', 'File', 'Kept until'].map((head) => (
            <th scope="col">{head}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {all.map((each) => (
          <tr>
            <td>
              <When at={each.createdAt} timeZone={place.timeZone} />
              <div class="text-secondary">
                <Text text={each.askedBy} />
              </div>
            </td>
            <td>
              <a href={`${place.base}/orders${each.query && `?${each.query}`}`}>
                {each.query ? <bdi>{selfContained(wordsOf(each.query))}</bdi> : 'All orders'}
              </a>
            </td>
            <td>
              <Tag look={LOOKS[each.status]} />
            </td>
            <td>
              <File visit={visit} place={place} each={each} />
            </td>
            <td>{each.expiresAt && <When at={each.expiresAt} timeZone={place.timeZone} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** "status: paid, provider: sandbox". */
const wordsOf = (query: string): string =>
  [...new URLSearchParams(query)].map(([name, value]) => `${name}: ${value}`).join(', ');

interface FileProps {
  readonly visit: SignedVisit;
  readonly place: HistoryPlace;
  readonly each: ListedExport;
}

function File({ visit, place, each }: FileProps) {
  const path = `${place.base}/exports/${each.id}`;
  if (isUnderWay(each)) return <Progress visit={visit} path={path} each={each} />;
  if (each.status === 'failed') return <>The file could not be written. Ask for it once more.</>;
  if (!each.manifest) return <Text text={null} />;
  return <Ready path={path} manifest={each.manifest} />;
}

interface ProgressProps {
  readonly visit: SignedVisit;
  readonly path: string;
  readonly each: ListedExport;
}

const Progress = ({ visit, path, each: { rowsDone, rowsTotal } }: ProgressProps) => (
  <>
    <progress value={rowsDone} max={rowsTotal || 1} aria-label="Rows written" />
    <div>
      {numberText(rowsDone)} {rowsTotal === null ? 'rows' : `of ${numberText(rowsTotal)} rows`}
    </div>
    <form method="post" action={`${path}/cancel`} data-once>
      <CsrfField csrf={visit.csrf} />
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
