import type { ReadEntry } from '../../database/people/audit.repository.js';
import type { SignedInContext } from '../../people/portal-context.js';
import { Cell, Empty, Rows, Typed, When } from '../kit/components.js';
import type { ListPage } from '../kit/list-query.js';
import { Pages } from '../kit/list.view.js';
import { renderPage } from '../layout/shell.view.js';

const COLUMNS = ['When', 'Who', 'What', 'Merchant', 'Details', 'From'];

export const renderPlatformAudit = (context: SignedInContext, page: ListPage<ReadEntry>): string =>
  renderPage({
    context,
    title: 'Audit log',
    subtitle:
      'All actions and page views, across all merchants. Entries cannot be changed. Times in UTC.',
    children: (
      <div class="card">
        {page.entries.length === 0 ? (
          <Empty title="No entries yet">Actions appear here as they happen.</Empty>
        ) : (
          <Rows caption="Entries, the newest first" columns={COLUMNS}>
            {page.entries.map((entry) => (
              <Row {...entry} />
            ))}
          </Rows>
        )}
        <Pages {...page} path="/portal/platform/audit" lastId={page.entries.at(-1)?.id} />
      </div>
    ),
  });

const Row = (entry: ReadEntry) => (
  <tr>
    <Cell label="When">
      <When at={entry.createdAt} zone="UTC" />
    </Cell>
    <Cell label="Who">
      {entry.userName === null ? (
        <span class="text-secondary">Not signed in</span>
      ) : (
        <>
          <Typed text={entry.userName} />
          <div class="text-secondary">{entry.userEmail}</div>
        </>
      )}
    </Cell>
    <Cell label="What" class="strong">
      {entry.action}
    </Cell>
    <Cell label="Merchant">
      {entry.merchantId ? <span class="mono">{entry.merchantId}</span> : 'None'}
    </Cell>
    <Cell label="Details">
      {entry.subject && <div class="mono">{entry.subject}</div>}
      <Details data={entry.data} />
    </Cell>
    <Cell label="From">{entry.address}</Cell>
  </tr>
);

function Details({ data }: Pick<ReadEntry, 'data'>) {
  const members = Object.entries(data).filter(([, value]) => value !== null);
  if (members.length === 0) return null;
  return (
    <ul class="plain-list text-secondary">
      {members.map(([name, value]) => (
        <li>
          {name}: <Typed text={typeof value === 'string' ? value : JSON.stringify(value)} />
        </li>
      ))}
    </ul>
  );
}
