import { selfContained } from '../../common/markup.js';
import type { ReadEntry } from '../../database/people/audit.repository.js';
import { pathOf, type MerchantContext } from '../../people/portal-context.js';
import { Timestamp } from '../kit/moment.view.js';
import { renderPage } from '../layout/shell.view.js';
import { sentenceOf } from './audit-words.js';

interface AuditPage {
  readonly context: MerchantContext;
  /** Newest first. */
  readonly entries: readonly ReadEntry[];
  /** The entry after which the next page begins. */
  readonly older: string | null;
  readonly isFirst: boolean;
}

export const renderAudit = (page: AuditPage): string =>
  renderPage({
    context: page.context,
    title: 'Audit log',
    subtitle: <>Actions of users and programs. Times in {page.context.access.timeZone}.</>,
    children:
      page.entries.length === 0 ? (
        <p>No entries yet. Actions of your team are recorded here.</p>
      ) : (
        <>
          <Entries {...page} />
          <Pages {...page} />
        </>
      ),
  });

const Entries = ({ context, entries }: AuditPage) => (
  <div class="card mb-3">
    <table class="table card-table audit">
      <caption class="visually-hidden">Entries, newest first</caption>
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">Who</th>
          <th scope="col">What</th>
          <th scope="col">From</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <Entry entry={entry} timeZone={context.access.timeZone} />
        ))}
      </tbody>
    </table>
  </div>
);

interface EntryProps {
  readonly entry: ReadEntry;
  readonly timeZone: string;
}

const Entry = ({ entry, timeZone }: EntryProps) => (
  <tr>
    <td class="when">
      <Timestamp at={entry.createdAt} timeZone={timeZone} />
    </td>
    <td>
      <Who {...entry} />
    </td>
    <td>
      <bdi>{selfContained(sentenceOf(entry))}</bdi>
      {entry.subject && (
        <div class="text-secondary subject">
          <bdi>{selfContained(entry.subject)}</bdi>
        </div>
      )}
    </td>
    <td class="text-secondary">
      <bdi>{selfContained(entry.address)}</bdi>
    </td>
  </tr>
);

const Who = ({ userName, userEmail }: ReadEntry) =>
  userName === null ? (
    <span class="text-secondary">Command line</span>
  ) : (
    <>
      <bdi>{selfContained(userName)}</bdi>
      <div class="text-secondary">
        <bdi>{selfContained(userEmail ?? '')}</bdi>
      </div>
    </>
  );

function Pages({ context, older, isFirst }: AuditPage) {
  const base = `${pathOf(context.access)}/audit`;
  if (isFirst && !older) return null;
  return (
    <nav class="d-flex gap-2" aria-label="Pages">
      {!isFirst && (
        <a class="btn" href={base}>
          Newest
        </a>
      )}
      {older && (
        <a class="btn" href={`${base}?before=${older}`} rel="next">
          Older
        </a>
      )}
    </nav>
  );
}
