import { CompiledMarkup, slotFor } from '../../common/markup.js';
import type { ListedView } from '../../database/saved-views/saved-view.repository.js';
import { mayHere, type PageContext, type SignedInContext } from '../../people/portal-context.js';
import { may } from '../../people/roles.js';
import { Icon } from '../kit/icons.js';
import { renderPage } from '../layout/shell.view.js';
import { FirstOrder, NothingFound } from './no-orders.view.js';
import { Filters } from './order-filters.view.js';
import { addressOf } from './order-list-address.js';
import {
  type ListLook,
  type ListTexts,
  lookOf,
  type PageLook,
  textsOf,
} from './order-list-look.js';
import type { OrdersPage } from './order-list.service.js';
import { OrdersTable, rowsOf } from './orders-table.view.js';
import { SavedViews } from './saved-views.view.js';

/** ID of the filter form, which includes the search box of the top bar. */
export const FILTER_FORM = 'filters';

/** Cached pages: filters × users × merchants in use at the same time; about 25 kB each. */
const PAGES_MAX = 200;

const pages = new CompiledMarkup<PageLook, ListTexts>(renderLook, PAGES_MAX);

/**
 * @param views saved views of the user for this merchant
 * @param publicUrl base URL of the API
 */
export function renderOrderList(
  context: SignedInContext,
  list: OrdersPage,
  views: readonly ListedView[],
  publicUrl: string,
): string {
  const look = { ...lookOf(context, list), views, publicUrl };
  const texts = textsOf(context, list);
  const markup = { rows: rowsOf(list) };
  // Search texts may contain personal data and are not cached.
  const isPersonal = list.typed.has('q') || list.typed.has('field');
  return isPersonal ? pages.fillOnce(look, texts, markup) : pages.fill(look, texts, markup);
}

function renderLook(look: PageLook, texts: ListTexts): string {
  const { list, views, publicUrl } = look;
  const { access } = list;
  const context = { ...look.context, csrf: texts.csrf };
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
    search: { form: FILTER_FORM, text: list.typed['q'] ?? '' },
    children: list.isNew ? (
      <FirstOrder context={context} access={access} publicUrl={publicUrl} />
    ) : (
      <div class="card orders-card">
        <Filters list={list} texts={texts} />
        {list.hasLines ? (
          <OrdersTable list={list} rows={slotFor('rows')} />
        ) : (
          <NothingFound list={list} />
        )}
        <Foot texts={texts} />
      </div>
    ),
  });
}

interface ListProps {
  readonly list: ListLook;
}

interface ZoneProps extends ListProps {
  readonly context: PageContext;
}

const Zone = ({ context, list: { access, zone } }: ZoneProps) => (
  <>
    Times in {zone}
    {mayHere(context, 'business.manage') && (
      <>
        {' · '}
        <a href={`${access.base}/business`}>Change</a>
      </>
    )}
  </>
);

const ExportLink = ({ list }: ListProps) => (
  <a class="btn" href={addressOf(list, '/orders/download')}>
    <Icon name="download" />
    Download CSV
  </a>
);

interface TextProps {
  readonly texts: ListTexts;
}

const Foot = ({ texts }: TextProps) => (
  <div class="card-footer orders-foot">
    <p class="m-0 text-secondary">
      <strong data-count>{texts.count}</strong>
      <span class="keys" data-keys hidden>
        {' '}
        · <kbd>/</kbd> searches · in the list <kbd>j</kbd> <kbd>k</kbd> move, <kbd>Enter</kbd> opens
      </span>
    </p>
    <nav class="d-flex gap-2" aria-label="Pages">
      <Turn texts={texts} to="newer" />
      <Turn texts={texts} to="older" />
    </nav>
  </div>
);

function Turn({ texts, to }: TextProps & { readonly to: 'newer' | 'older' }) {
  const href = texts[to];
  const label = to === 'newer' ? 'Newer' : 'Older';
  const content = (
    <>
      {to === 'newer' && <Icon name="newer" />}
      {label}
      {to === 'older' && <Icon name="older" />}
    </>
  );
  if (href === null) {
    return (
      <a class="btn btn-sm disabled" role="link" aria-disabled="true">
        {content}
      </a>
    );
  }
  return (
    <a class="btn btn-sm" href={href} rel={to === 'newer' ? 'prev' : 'next'}>
      {content}
    </a>
  );
}
