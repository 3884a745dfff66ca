import type { ListedView } from '../../database/order-list/saved-view.repository.js';
import { mayHere, type SignedInContext } from '../../people/portal-context.js';
import { may } from '../../people/roles.js';
import { Icon } from '../kit/icons.js';
import { zoneText } from '../kit/values.js';
import { renderPage } from '../layout/shell.view.js';
import { FirstOrder, NothingFound } from './no-orders.view.js';
import { Filters } from './order-filters.view.js';
import { addressOf } from './order-list-address.js';
import { orderCountText } from './order-list-text.js';
import type { OrdersPage } from './order-list.service.js';
import { OrdersTable } from './orders-table.view.js';
import { SavedViews } from './saved-views.view.js';

/** The form of the filters; the search box above all pages belongs to it. */
export const FILTER_FORM = 'filters';

/**
 * @param views that the user keeps for this merchant
 * @param publicUrl where programs reach the service
 */
export function renderOrderList(
  context: SignedInContext,
  list: OrdersPage,
  views: readonly ListedView[],
  publicUrl: string,
): string {
  const { access } = list;
  return renderPage({
    context,
    title: access.scope.merchantId ? 'Orders' : 'Orders of all merchants',
    subtitle: <Zone context={context} list={list} />,
    actions: !list.isNew && (
      <>
        {access.scope.merchantId && <SavedViews context={context} list={list} views={views} />}
        {may(access.role, 'orders.export') && <ExportLink list={list} />}
      </>
    ),
    search: { form: FILTER_FORM, text: list.typed.get('q') ?? '' },
    children: list.isNew ? (
      <FirstOrder context={context} access={access} publicUrl={publicUrl} />
    ) : (
      <div class="card orders-card">
        <Filters list={list} />
        {list.lines.length > 0 ? <OrdersTable list={list} /> : <NothingFound list={list} />}
        <Foot list={list} />
      </div>
    ),
  });
}

interface ZoneProps {
  readonly context: SignedInContext;
  readonly list: OrdersPage;
}

const Zone = ({ context, list: { access, now } }: ZoneProps) => (
  <>
    Times in {zoneText(access.timeZone, now)}
    {mayHere(context, 'business.manage') && (
      <>
        {' · '}
        <a href={`${access.base}/business`}>Change</a>
      </>
    )}
  </>
);

const ExportLink = ({ list }: { readonly list: OrdersPage }) => (
  <a class="btn" href={addressOf(list, '/orders/download')}>
    <Icon name="download" />
    Download CSV
  </a>
);

const Foot = ({ list }: { readonly list: OrdersPage }) => (
  <div class="card-footer orders-foot">
    <p class="m-0 text-secondary">
      <strong data-count>{orderCountText(list.counts.count)}</strong>
      <span class="keys" data-keys hidden>
        {' '}
        · <kbd>/</kbd> searches · in the list <kbd>j</kbd> <kbd>k</kbd> move, <kbd>Enter</kbd> opens
      </span>
    </p>
    <nav class="d-flex gap-2" aria-label="Pages">
      <Turn list={list} to="newer" />
      <Turn list={list} to="older" />
    </nav>
  </div>
);

function Turn({ list, to }: { readonly list: OrdersPage; readonly to: 'newer' | 'older' }) {
  const access = list[to];
  const label = to === 'newer' ? 'Newer' : 'Older';
  const content = (
    <>
      {to === 'newer' && <Icon name="newer" />}
      {label}
      {to === 'older' && <Icon name="older" />}
    </>
  );
  if (access === null) {
    return (
      <a class="btn btn-sm disabled" role="link" aria-disabled="true">
        {content}
      </a>
    );
  }
  return (
    <a
      class="btn btn-sm"
      href={addressOf(list, '/orders', {}, { [to]: access })}
      rel={to === 'newer' ? 'prev' : 'next'}
    >
      {content}
    </a>
  );
}
