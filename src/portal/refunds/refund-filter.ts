import { uuidOf } from '../../common/ids.js';
import { REFUND_STATUSES, type RefundStatus } from '../../database/refunds/refund.entity.js';
import type { RefundFilter, RefundWindow } from '../../database/refunds/refund-list.statements.js';
import {
  type FilterTexts,
  read,
  SEARCH_EXPECTS,
  searchOf,
} from '../../order-search/order-filter.js';
import { PAGE } from '../kit/list-query.js';
import {
  type FilterProblem,
  type NamedDays,
  namedDays,
  periodOf,
  QueryTexts,
} from '../order-list/order-filter.js';

type Name = 'from' | 'to' | 'status' | 'q';

/** Parsed filter with its problems. */
export interface AskedRefunds {
  readonly filter: RefundFilter;
  readonly days: NamedDays;
  readonly problems: readonly FilterProblem[];
  /** Submitted value of each field, valid or not. */
  readonly typed: Readonly<Partial<Record<string, string>>>;
  readonly window: RefundWindow;
}

/** Parses a URL. Ignores and reports invalid parameters, so that an old or mistyped link still opens the page. */
export function refundsIn(query: URLSearchParams, timeZone: string): AskedRefunds {
  const reader = new QueryTexts<Name>(query);
  const days = namedDays(reader);
  const text = read(reader, 'q', SEARCH_EXPECTS, searchOf);
  const search = text === null ? null : { text, id: uuidOf(text) };
  const filter = { ...periodOf(days, timeZone), statuses: statusesIn(reader), search };
  const newer = uuidOf(query.get('newer') ?? '');
  return {
    filter,
    days,
    problems: reader.problems,
    typed: Object.fromEntries(query),
    window: {
      cursor: newer ?? uuidOf(query.get('older') ?? ''),
      direction: newer ? 'newer' : 'older',
      limit: PAGE,
    },
  };
}

/** Selecting all is the same as none. */
function statusesIn(reader: FilterTexts<Name>): readonly RefundStatus[] {
  const named = reader.texts('status');
  const known: readonly string[] = REFUND_STATUSES;
  if (named.some((text) => !known.includes(text))) {
    reader.refuse('status', `This must be some of ${REFUND_STATUSES.join(', ')}.`);
  }
  const statuses = REFUND_STATUSES.filter((status) => named.includes(status));
  return statuses.length === REFUND_STATUSES.length ? [] : statuses;
}

/** Query parameters of the filter, with changes for links; empty ones are omitted. */
export function refundQuery(
  { filter, days }: Pick<AskedRefunds, 'filter' | 'days'>,
  changes: Readonly<Record<string, string>> = {},
): string {
  const texts: Readonly<Record<string, string | null>> = {
    from: days.first,
    to: days.last,
    status: filter.statuses.join(','),
    q: filter.search?.text ?? null,
    ...changes,
  };
  const query = new URLSearchParams();
  for (const [name, text] of Object.entries(texts)) if (text) query.set(name, text);
  return query.toString();
}
