import type { ListQuery } from './list-query.js';

interface SearchProps extends ListQuery {
  readonly label: string;
}

/** Goes to the page's own address, so that what was found can be bookmarked. */
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

interface PagesProps extends ListQuery {
  readonly path: string;
  readonly hasMore: boolean;
  /** The last entry that is shown. */
  readonly lastId: string | undefined;
}

export function Pages({ path, text, after, hasMore, lastId }: PagesProps) {
  if (!after && !hasMore) return null;
  const search: Record<string, string> = text ? { q: text } : {};
  const address = (more: Record<string, string>) =>
    `${path}?${new URLSearchParams({ ...search, ...more })}`;
  return (
    <nav class="card-footer d-flex gap-2" aria-label="Pages">
      {after && (
        <a class="btn btn-sm" href={address({})}>
          Newest
        </a>
      )}
      {hasMore && lastId && (
        <a class="btn btn-sm" href={address({ after: lastId })}>
          Older
        </a>
      )}
    </nav>
  );
}
