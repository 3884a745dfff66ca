import type { ListQuery } from './list-query.js';

interface SearchProps extends ListQuery {
  readonly label: string;
}

/** Submits to the current URL, so that results can be bookmarked. */
export const SearchForm = ({ label, text }: SearchProps) => (
  <form class="card-body d-flex gap-2" role="search">
    <input
      class="form-control"
      type="search"
      name="q"
      value={text}
      maxLength={140}
      aria-label={label}
      placeholder={label}
    />
    <button class="btn">Search</button>
  </form>
);

interface Turn {
  readonly label: string;
  readonly href: string;
  readonly rel?: 'next';
}

interface PagerProps {
  readonly first: Turn | null;
  readonly next: Turn | null;
}

/** Pagination at the bottom of a card; renders nothing for a single page. */
export function Pager({ first, next }: PagerProps) {
  if (!first && !next) return null;
  return (
    <nav class="card-footer d-flex gap-2" aria-label="Pages">
      {[first, next].map(
        (turn) =>
          turn && (
            <a class="btn btn-sm" href={turn.href} rel={turn.rel}>
              {turn.label}
            </a>
          ),
      )}
    </nav>
  );
}

interface PagesProps extends ListQuery {
  readonly path: string;
  readonly hasMore: boolean;
  /** ID of the last entry on the page. */
  readonly lastId: string | undefined;
}

export function Pages({ path, text, after, hasMore, lastId }: PagesProps) {
  const search: Record<string, string> = text ? { q: text } : {};
  const address = (more: Record<string, string>) =>
    `${path}?${new URLSearchParams({ ...search, ...more })}`;
  return (
    <Pager
      first={after ? { label: 'Newest', href: address({}) } : null}
      next={hasMore && lastId ? { label: 'Older', href: address({ after: lastId }) } : null}
    />
  );
}
