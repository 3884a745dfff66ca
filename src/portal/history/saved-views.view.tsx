import type { SavedView } from '../../database/entities/saved-view.entity.js';
import { Icon } from '../layout/icons.js';
import { CsrfField, Field, PostForm } from '../layout/parts.js';
import { Text } from '../layout/values.js';
import type { SignedVisit } from '../visit.js';
import { filterQuery } from './history-address.js';
import type { HistoryLook } from './history.service.js';
import { VIEW_NAME_MAX } from './saved-views.service.js';

interface Props {
  readonly visit: SignedVisit;
  readonly look: HistoryLook;
  readonly views: readonly SavedView[];
}

/** Filters that the visitor keeps, and a form to keep the one that is shown. */
export function SavedViews({ visit, look, views }: Props) {
  const query = filterQuery(look).toString();
  const path = `${look.place.base}/orders`;
  return (
    <details class="filter saved-views" name="filter">
      <summary class="btn">
        <Icon name="bookmark" />
        Views
      </summary>
      <div class="filter-panel">
        {views.length > 0 && (
          <ul class="view-list">
            {views.map((view) => (
              <li>
                <a
                  href={view.query ? `${path}?${view.query}` : path}
                  aria-current={view.query === query ? 'true' : undefined}
                >
                  <Text text={view.name} />
                </a>
                <form method="post" action={`${path}/views/delete`}>
                  <CsrfField csrf={visit.csrf} />
                  <input type="hidden" name="name" value={view.name} />
                  <input type="hidden" name="query" value={query} />
                  <button class="btn btn-sm btn-ghost" aria-label={`Delete the view ${view.name}`}>
                    <Icon name="cross" />
                  </button>
                </form>
              </li>
            ))}
          </ul>
        )}
        {query ? (
          <PostForm csrf={visit.csrf} action={`${path}/views`}>
            <input type="hidden" name="query" value={query} />
            <Field
              name="name"
              label="Keep this filter as"
              hint="Only you see your views."
              maxLength={VIEW_NAME_MAX}
              autocomplete="off"
            />
            <button class="btn btn-primary w-100">Save view</button>
          </PostForm>
        ) : (
          <p class="mb-0 text-secondary">Filter the list, and keep the filter here under a name.</p>
        )}
      </div>
    </details>
  );
}
