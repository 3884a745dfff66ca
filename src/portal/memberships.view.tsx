import { selfContained } from '../common/markup.js';
import type { UserMembership } from '../database/people/user-membership.js';
import { pathOf, type SignedInContext } from '../people/portal-context.js';
import { ROLE_NAMES } from '../people/roles.js';
import { renderPage } from './layout/shell.view.js';

/** Start page of users with several merchants or none. */
export const renderMemberships = (
  context: SignedInContext,
  memberships: readonly UserMembership[],
): string =>
  renderPage({
    context,
    title: 'Your merchants',
    children:
      memberships.length === 0 ? (
        <p>You are not a member of any merchant yet. Ask an owner to invite you.</p>
      ) : (
        <ul class="list-group">
          {memberships.map(({ id, name, role }) => (
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
