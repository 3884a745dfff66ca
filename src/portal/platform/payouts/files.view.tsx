import type { DeskFile } from '../../../database/repositories/payout-desk.repository.js';
import type { Mode } from '../../../database/entities/api-key.entity.js';
import { renderPage } from '../../layout/shell.view.js';
import { Empty } from '../../settings/parts.js';
import type { SignedVisit } from '../../visit.js';
import type { ListPage } from '../list-query.js';
import { DeskPages } from './desk-parts.js';
import { deskPath, filesPath } from './desk-path.js';
import { FileTable } from './file-table.view.js';

export const renderFiles = (visit: SignedVisit, mode: Mode, page: ListPage<DeskFile>): string =>
  renderPage({
    visit,
    title: 'Bank files',
    subtitle: (
      <>
        <a href={deskPath(mode)}>Payouts</a> · Times in UTC
      </>
    ),
    children: (
      <div class="card">
        {page.entries.length === 0 ? (
          <Empty title="No file has been made">
            Approve payouts first, then make a file of them.
          </Empty>
        ) : (
          <FileTable files={page.entries} />
        )}
        <DeskPages
          path={filesPath(mode)}
          isFirst={page.after === null}
          lastId={page.hasMore ? page.entries.at(-1)?.id : undefined}
          next="Older"
        />
      </div>
    ),
  });
