import { uuidOf } from '../../common/ids.js';
import type { Query } from '../../http/query.js';

const TEXT_MAX = 140;

/** Entries on one page. */
export const PAGE = 50;

export interface ListQuery {
  /** What was searched for; empty = nothing. */
  readonly text: string;
  /** The last entry of the page before. */
  readonly after: string | null;
}

/** A page is never refused for an odd address: what is not understood is left out. */
export const readListQuery = ({ q, after }: Query): ListQuery => ({
  text: typeof q === 'string' ? q.trim().replaceAll('\0', '').slice(0, TEXT_MAX) : '',
  after: typeof after === 'string' ? uuidOf(after) : null,
});

export interface ListPage<T> extends ListQuery {
  readonly entries: readonly T[];
  readonly hasMore: boolean;
}

/** One page out of one entry more than it may have. */
export const pageOf = <T>(query: ListQuery, found: readonly T[], size = PAGE): ListPage<T> => ({
  ...query,
  entries: found.slice(0, size),
  hasMore: found.length > size,
});
