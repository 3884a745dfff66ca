import { uuidOf } from '../../common/ids.js';
import type { Query } from '../../http/query.js';

const TEXT_MAX = 140;

/** Page size. */
export const PAGE = 50;

export interface ListQuery {
  /** Search text; empty = no search. */
  readonly text: string;
  /** ID of the last entry of the previous page. */
  readonly after: string | null;
}

/** Ignores parameters that it cannot parse: an old or mistyped link still opens the page. */
export const readListQuery = ({ q, after }: Query): ListQuery => ({
  text: typeof q === 'string' ? q.trim().replaceAll('\0', '').slice(0, TEXT_MAX) : '',
  after: typeof after === 'string' ? uuidOf(after) : null,
});

export interface ListPage<T> extends ListQuery {
  readonly entries: readonly T[];
  readonly hasMore: boolean;
}

/** Builds a page from one entry more than its size. */
export const pageOf = <T>(query: ListQuery, found: readonly T[], size = PAGE): ListPage<T> => ({
  ...query,
  entries: found.slice(0, size),
  hasMore: found.length > size,
});
