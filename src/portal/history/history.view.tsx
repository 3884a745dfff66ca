import type { SavedView } from '../../database/entities/saved-view.entity.js';
import { Icon } from '../layout/icons.js';
import { renderPage } from '../layout/shell.view.js';
import { zoneText } from '../layout/values.js';
import { may } from '../roles.js';
import { mayHere, type SignedVisit } from '../visit.js';
import { addressOf } from './history-address.js';
import { FirstOrder, NothingFound } from './history-empty.view.js';
import { Filters } from './history-filters.view.js';
import { HistoryTable } from './history-table.view.js';
import type { HistoryLook } from './history.service.js';
import { countText } from './history-words.js';
import { SavedViews } from './saved-views.view.js';

/** The form of the filters; the search box above all pages belongs to it. */
export const FILTER_FORM = 'filters';

/**
 * @param views that the visitor keeps for this merchant
 * @param publicUrl where programs reach the service
 */
export function renderHistory(
  visit: SignedVisit,
  look: HistoryLook,
  views: readonly SavedView[],
  publicUrl: string,
): string {
  const { place } = look;
  return renderPage({
    visit,
    title: place.scope.merchantId ? 'Orders' : 'Orders of all merchants',
    subtitle: <Zone visit={visit} look={look} />,
    actions: !look.isNew && (
      <>
        {place.scope.merchantId && <SavedViews visit={visit} look={look} views={views} />}
        {may(place.role, 'orders.export') && <DownloadLink look={look} />}
      </>
    ),
    search: { form: FILTER_FORM, text: look.typed.get('q') ?? '' },
    children: look.isNew ? (
      <FirstOrder visit={visit} place={place} publicUrl={publicUrl} />
    ) : (
      <div class="card orders-card">
        <Filters look={look} />
        {look.lines.length > 0 ? <HistoryTable look={look} /> : <NothingFound look={look} />}
        <Foot look={look} />
      </div>
    ),
  });
}

interface ZoneProps {
  readonly visit: SignedVisit;
  readonly look: HistoryLook;
}

const Zone = ({ visit, look: { place, now } }: ZoneProps) => (
  <>
    Times in {zoneText(place.timeZone, now)}
    {mayHere(visit, 'business.manage') && (
      <>
        {' · '}
        <a href={`${place.base}/business`}>Change</a>
      </>
    )}
  </>
);

const DownloadLink = ({ look }: { readonly look: HistoryLook }) => (
  <a class="btn" href={addressOf(look, '/orders/download')}>
    <Icon name="download" />
    Download CSV
  </a>
);

const Foot = ({ look }: { readonly look: HistoryLook }) => (
  <div class="card-footer orders-foot">
    <p class="m-0 text-secondary">
      <strong data-count>{countText(look.counts.count)}</strong>
      <span class="keys" data-keys hidden>
        {' '}
        · <kbd>/</kbd> searches · in the list <kbd>j</kbd> <kbd>k</kbd> move, <kbd>Enter</kbd> opens
      </span>
    </p>
    <nav class="d-flex gap-2" aria-label="Pages">
      <Turn look={look} to="newer" />
      <Turn look={look} to="older" />
    </nav>
  </div>
);

function Turn({ look, to }: { readonly look: HistoryLook; readonly to: 'newer' | 'older' }) {
  const place = look[to];
  const words = to === 'newer' ? 'Newer' : 'Older';
  const content = (
    <>
      {to === 'newer' && <Icon name="newer" />}
      {words}
      {to === 'older' && <Icon name="older" />}
    </>
  );
  if (place === null) {
    return (
      <a class="btn btn-sm disabled" role="link" aria-disabled="true">
        {content}
      </a>
    );
  }
  return (
    <a
      class="btn btn-sm"
      href={addressOf(look, '/orders', {}, { [to]: place })}
      rel={to === 'newer' ? 'prev' : 'next'}
    >
      {content}
    </a>
  );
}
