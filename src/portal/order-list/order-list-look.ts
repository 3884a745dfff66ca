import { ORDER_STATUSES, type OrderStatus } from '../../database/orders/order.entity.js';
import type { ListedView } from '../../database/order-list/saved-view.repository.js';
import type { PageContext } from '../../people/portal-context.js';
import { zoneText } from '../kit/values.js';
import { FILTER_PARAMETERS } from './order-filter.js';
import { addressOf, type Shown } from './order-list-address.js';
import { orderCountText, shortCount } from './order-list-text.js';
import type { OrdersPage } from './order-list.service.js';

/** What the page shows beside its rows and is another thing each time; with the addresses of its neighbours. */
export type ListTexts = Readonly<Record<'csrf' | 'count' | 'everyStatus', string>> &
  Readonly<Record<OrderStatus | 'newer' | 'older', string | null>>;

/** The list without its rows. */
export interface ListLook extends Shown, Pick<OrdersPage, 'problems' | 'choices' | 'isNew'> {
  /** What was last typed into each field, right or wrong. */
  readonly typed: Readonly<Partial<Record<string, string>>>;
  readonly zone: string;
  readonly hasLines: boolean;
}

/** All that the page is made of, beside its rows and texts. */
export interface PageLook {
  readonly context: Omit<PageContext, 'csrf'>;
  readonly list: ListLook;
  /** Those that the user keeps for this merchant. */
  readonly views: readonly ListedView[];
  /** Where programs reach the service. */
  readonly publicUrl: string;
}

const NAMES: ReadonlySet<string> = new Set(FILTER_PARAMETERS);

/** Where it is in the list is no part of it, so that all its pages look the same. */
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
    count: orderCountText(counts.count),
    everyStatus: shortCount(counts.everyStatus),
    ...(Object.fromEntries(ofStatuses) as Record<OrderStatus, string | null>),
    newer: turn('newer'),
    older: turn('older'),
  };
}

/** Where statuses are not counted one by one, the list itself tells of the one that it shows. */
function countIn(status: OrderStatus, { counts, filter }: OrdersPage): string | null {
  if (counts.statuses) return shortCount(counts.statuses[status]);
  const isAlone = filter.statuses.length === 1 && filter.statuses[0] === status;
  return isAlone ? shortCount(counts.count) : null;
}
