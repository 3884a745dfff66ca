import type { Mode } from '../../../database/merchants/api-key.entity.js';
import type { PlatformFile } from '../../../database/read-models/platform-payout.repository.js';
import type { SignedInContext } from '../../../people/portal-context.js';
import { Empty } from '../../kit/components.js';
import type { ListPage } from '../../kit/list-query.js';
import { renderPage } from '../../layout/shell.view.js';
import { PlatformPager } from '../payouts/platform-components.js';
import { platformPayoutsPath, filesPath } from '../payouts/platform-path.js';
import { FileTable } from './file-table.view.js';

export const renderFiles = (
  context: SignedInContext,
  mode: Mode,
  page: ListPage<PlatformFile>,
): string =>
  renderPage({
    context,
    title: 'Bank files',
    subtitle: (
      <>
        <a href={platformPayoutsPath(mode)}>Payouts</a> · Times in UTC
      </>
    ),
    children: (
      <div class="card">
        {page.entries.length === 0 ? (
          <Empty title="No bank files yet"> Approve payouts first, then create a file. </Empty>
        ) : (
          <FileTable files={page.entries} />
        )}
        <PlatformPager
          path={filesPath(mode)}
          page={page}
          lastId={page.entries.at(-1)?.id}
          next="Older"
        />
      </div>
    ),
  });
