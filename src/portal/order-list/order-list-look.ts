import { ORDER_STATUSES, type OrderStatus } from '../../database/orders/order.entity.js';
import type { ListedView } from '../../database/saved-views/saved-view.repository.js';
import type { PageContext } from '../../people/portal-context.js';
import { zoneText } from '../kit/values.js';
import { FILTER_PARAMETERS } from './order-filter.js';
import { addressOf, type Shown } from './order-list-address.js';
import { countedText, shortCount } from './order-list-text.js';
import type { OrdersPage } from './order-list.service.js';

/** Texts and links of the page that differ per request; filled into the compiled markup. */
export type ListTexts = Readonly<Record<'csrf' | 'count' | 'everyStatus', string>> &
  Readonly<Record<OrderStatus | 'newer' | 'older', string | null>>;

/** The list without its rows: part of the cache key of the compiled page. */
export interface ListLook extends Shown, Pick<OrdersPage, 'problems' | 'choices' | 'isNew'> {
  /** Submitted value of each field, valid or not. */
  readonly typed: Readonly<Partial<Record<string, string>>>;
  readonly zone: string;
  readonly hasLines: boolean;
}

/** Everything on the page except rows and texts: the cache key of the compiled page. */
export interface PageLook {
  readonly context: Omit<PageContext, 'csrf'>;
  readonly list: ListLook;
  /** Saved views of the user for this merchant. */
  readonly views: readonly ListedView[];
  /** Base URL of the API. */
  readonly publicUrl: string;
}

const NAMES: ReadonlySet<string> = new Set(FILTER_PARAMETERS);

/** Excludes the cursor, so that all pages of a list share the compiled markup. */
export function lookOf(
  context: PageContext,
  list: OrdersPage,
): Omit<PageLook, 'views' | 'publicUrl'> {
  const { access, filter, preset, problems, choices, isNew, typed, now, lines } = list;
  const fields = [...typed].filter(([name]) => NAMES.has(name));
  const {
    session: { name, platformRole },
    path,
  } = context;
  return {
    context: {
      session: { name, platformRole },
      path: path.split('?', 1)[0]!,
      access: context.access,
    },
    list: {
      access,
      filter,
      preset,
      problems,
      choices,
      isNew,
      typed: Object.fromEntries(fields),
      zone: zoneText(access.timeZone, now),
      hasLines: lines.length > 0,
    },
  };
}

export function textsOf({ csrf }: PageContext, list: OrdersPage): ListTexts {
  const { counts } = list;
  const turn = (to: 'newer' | 'older') => {
    const place = list[to];
    return place && addressOf(list, '/orders', {}, { [to]: place });
  };
  const ofStatuses = ORDER_STATUSES.map((status) => [status, countIn(status, list)] as const);
  return {
    csrf,
    count: countedText(counts.count),
    everyStatus: shortCount(counts.everyStatus),
    ...(Object.fromEntries(ofStatuses) as Record<OrderStatus, string | null>),
    newer: turn('newer'),
    older: turn('older'),
  };
}

/** Without counts per status, uses the total if the list shows only this status. */
function countIn(status: OrderStatus, { counts, filter }: OrdersPage): string | null {
  if (counts.statuses) return shortCount(counts.statuses[status]);
  const isAlone = filter.statuses.length === 1 && filter.statuses[0] === status;
  return isAlone ? shortCount(counts.count) : null;
}
