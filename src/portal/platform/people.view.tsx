import type { ListedPerson } from '../../database/read-models/platform.repository.js';
import type { SignedInContext } from '../../people/portal-context.js';
import { ROLE_NAMES } from '../../people/roles.js';
import { Cell, Done, Empty, Rows, Typed, When } from '../kit/components.js';
import { PostForm } from '../kit/form-components.js';
import type { ListPage } from '../kit/list-query.js';
import { Pages, SearchForm } from '../kit/list.view.js';
import { Tag } from '../kit/status.js';
import { renderPage } from '../layout/shell.view.js';

const PATH = '/portal/platform/people';
const COLUMNS = ['Person', 'Roles', 'State', 'Two-factor', 'Last sign-in', 'Actions'];

export const renderPeople = (
  context: SignedInContext,
  page: ListPage<ListedPerson>,
  done: unknown,
): string =>
  renderPage({
    context,
    title: 'People',
    subtitle: 'All user accounts. Times in UTC.',
    children: (
      <>
        <Done word={done} />
        <div class="card">
          <SearchForm {...page} label="Name or email" />
          {page.entries.length === 0 ? (
            <Empty title="No matching people">Try part of the name or email address.</Empty>
          ) : (
            <Rows caption="People, newest first" columns={COLUMNS}>
              {page.entries.map((person) => (
                <Row context={context} person={person} />
              ))}
            </Rows>
          )}
          <Pages {...page} path={PATH} lastId={page.entries.at(-1)?.id} />
        </div>
      </>
    ),
  });

interface RowProps {
  readonly context: SignedInContext;
  readonly person: ListedPerson;
}

const Row = ({ context, person }: RowProps) => (
  <tr>
    <Cell label="Person" class="strong">
      <Typed text={person.name} />
      <div class="text-secondary">{person.email}</div>
    </Cell>
    <Cell label="Roles">
      <Roles {...person} />
    </Cell>
    <Cell label="State">
      {person.disabledAt ? (
        <Tag label="Disabled" tone="idle" icon="ended" />
      ) : (
        <Tag label="Enabled" tone="good" icon="check" />
      )}
    </Cell>
    <Cell label="Two-factor">{person.hasSecondFactor ? 'Yes' : 'No'}</Cell>
    <Cell label="Last sign-in">
      <When at={person.signedInAt} zone="UTC" />
    </Cell>
    <Cell label="Actions" class="actions">
      {person.id !== context.session.userId && !(person.disabledAt && person.platformRole) && (
        <Turn context={context} person={person} />
      )}
    </Cell>
  </tr>
);

function Roles({ platformRole, places }: ListedPerson) {
  if (!platformRole && places.length === 0) return <span class="text-secondary">None</span>;
  return (
    <ul class="plain-list">
      {platformRole && <li>{ROLE_NAMES[platformRole]} of the platform</li>}
      {places.map(({ name, role }) => (
        <li>
          {ROLE_NAMES[role]} at <Typed text={name} />
        </li>
      ))}
    </ul>
  );
}

function Turn({ context, person: { id, name, disabledAt } }: RowProps) {
  const [path, word] = disabledAt ? ['enable', 'Enable'] : ['disable', 'Disable'];
  return (
    <PostForm csrf={context.csrf} action={`${PATH}/${id}/${path}`}>
      <button class="btn btn-sm">
        {word}
        <span class="visually-hidden"> {name}</span>
      </button>
    </PostForm>
  );
}
