import { selfContained } from '../common/markup.js';
import type { Place } from '../database/repositories/user.repository.js';
import { renderPage } from './layout/shell.view.js';
import { ROLE_NAMES } from './roles.js';
import { pathOf, type SignedVisit } from './visit.js';

/** Where somebody with several merchants, or none, begins. */
export const renderPlaces = (visit: SignedVisit, places: readonly Place[]): string =>
  renderPage({
    visit,
    title: 'Your merchants',
    children:
      places.length === 0 ? (
        <p>You belong to no merchant yet. Ask the owner of a shop to invite you.</p>
      ) : (
        <ul class="list-group">
          {places.map(({ id, name, role }) => (
            <li class="list-group-item d-flex flex-wrap gap-3 align-items-center">
              <span class="flex-fill">
                <bdi>{selfContained(name)}</bdi>
                <span class="text-secondary"> {ROLE_NAMES[role]}</span>
              </span>
              <a class="btn" href={pathOf({ merchantId: id, mode: 'live' })}>
                Live
              </a>
              <a class="btn" href={pathOf({ merchantId: id, mode: 'test' })}>
                Test
              </a>
            </li>
          ))}
        </ul>
      ),
  });
