import { CsrfField, FormField, PostForm } from '../kit/form-components.js';
import { Icon } from '../kit/icons.js';
import { TextValue } from '../kit/values.js';
import { filterQuery } from './order-list-address.js';
import type { PageContext } from '../../people/portal-context.js';
import type { PageLook } from './order-list-look.js';
import { VIEW_NAME_MAX } from './saved-views.service.js';

interface Props extends Pick<PageLook, 'list' | 'views'> {
  readonly context: PageContext;
}

/** Saved views, and a form that saves the current filter. */
export function SavedViews({ context, list, views }: Props) {
  const query = filterQuery(list).toString();
  const path = `${list.access.base}/orders`;
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
                  <TextValue text={view.name} />
                </a>
                <form method="post" action={`${path}/views/delete`}>
                  <CsrfField csrf={context.csrf} />
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
          <PostForm csrf={context.csrf} action={`${path}/views`}>
            <input type="hidden" name="query" value={query} />
            <FormField
              name="name"
              label="Save this filter as"
              hint="Only you see your views."
              maxLength={VIEW_NAME_MAX}
              autocomplete="off"
            />
            <button class="btn btn-primary w-100">Save view</button>
          </PostForm>
        ) : (
          <p class="mb-0 text-secondary">Filter the list, then save the filter here.</p>
        )}
      </div>
    </details>
  );
}
