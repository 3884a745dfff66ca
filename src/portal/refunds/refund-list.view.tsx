import { REFUND_STATUSES } from '../../database/refunds/refund.entity.js';
import { mayHere, pathOf, type MerchantContext } from '../../people/portal-context.js';
import { Icon } from '../kit/icons.js';
import { PageTurn } from '../kit/payout-components.js';
import { zoneText } from '../kit/values.js';
import { renderPage } from '../layout/shell.view.js';
import { countedText } from '../order-list/order-list-text.js';
import { refundQuery } from './refund-filter.js';
import { countOf, RefundFilters } from './refund-filters.view.js';
import type { RefundsPage } from './refund-list.service.js';
import { RefundsTable } from './refunds-table.view.js';

interface Props {
  readonly context: MerchantContext;
  readonly view: RefundsPage;
}

export const refundsPath = ({ access }: MerchantContext): string => `${pathOf(access)}/refunds`;

/** Refunds of the merchant, newest first. */
export const renderRefunds = (context: MerchantContext, view: RefundsPage): string =>
  renderPage({
    context,
    title: 'Refunds',
    subtitle: `Times in ${zoneText(context.access.timeZone, view.now)}`,
    actions: !isEmpty(view) && mayHere(context, 'orders.export') && (
      <a class="btn" href={addressOf(`${refundsPath(context)}/download.csv`, view)}>
        <Icon name="download" />
        Download CSV
      </a>
    ),
    children: isEmpty(view) ? (
      <NoRefund context={context} />
    ) : (
      <List context={context} view={view} />
    ),
  });

const addressOf = (path: string, view: RefundsPage, changes: Record<string, string> = {}) => {
  const query = refundQuery(view, changes);
  return query ? `${path}?${query}` : path;
};

/** Whether there has never been a refund. */
const isEmpty = (view: RefundsPage): boolean =>
  view.rows.length === 0 &&
  view.window.cursor === null &&
  view.problems.length === 0 &&
  refundQuery(view) === '';

const NoRefund = ({ context }: Pick<Props, 'context'>) => (
  <div class="card nothing">
    <h2>No refunds yet</h2>
    <p class="text-secondary">
      A refund sends money of a paid order back to its payer, the way that it came.
    </p>
    <p class="text-secondary mb-0">
      {mayHere(context, 'refunds.manage') ? (
        <>
          To make one, open a{' '}
          <a href={`${pathOf(context.access)}/orders?status=paid`}>paid order</a> and choose Refund.
          Your shop can also request refunds through the API.
        </>
      ) : (
        'An owner or finance member makes one on the page of a paid order. Your shop can also request refunds through the API.'
      )}
    </p>
  </div>
);

const List = ({ context, view }: Props) => {
  const path = refundsPath(context);
  const turn = (to: 'newer' | 'older'): string | null => {
    const cursor = view[to];
    return cursor && addressOf(path, view, { [to]: cursor });
  };
  const { statuses } = view.filter;
  const { count, isMore } = countOf(view, statuses.length > 0 ? statuses : REFUND_STATUSES);
  return (
    <div class="card orders-card">
      <RefundFilters context={context} view={view} path={path} />
      {view.rows.length > 0 ? (
        <RefundsTable context={context} rows={view.rows} />
      ) : (
        <NothingFound view={view} path={path} />
      )}
      <div class="card-footer orders-foot">
        <p class="m-0 text-secondary">
          <strong>{countedText({ count, isMore }, 'refund')}</strong>
        </p>
        <nav class="d-flex gap-2" aria-label="Pages">
          <PageTurn to="newer" label="Newer" href={turn('newer')} />
          <PageTurn to="older" label="Older" href={turn('older')} />
        </nav>
      </div>
    </div>
  );
};

interface FoundProps extends Pick<Props, 'view'> {
  readonly path: string;
}

const NothingFound = ({ view, path }: FoundProps) => (
  <div class="nothing">
    <h2>No matching refunds</h2>
    <p class="text-secondary">
      {view.filter.search === null
        ? 'No refund matches all of these filters.'
        : 'Search by full order number, order ID, refund ID or your own refund number.'}
    </p>
    <p class="mb-0">
      <a class="btn" href={path}>
        Show all refunds
      </a>
    </p>
  </div>
);
