import type { PlatformFile } from '../../../database/read-models/platform-payout.repository.js';
import { Cell, Rows, Typed, When } from '../../kit/components.js';
import { PAYOUT_BADGES } from '../../kit/payout-status.js';
import { type Badge, Tag, badgeOf } from '../../kit/status.js';
import { AmountValue, numberText } from '../../kit/values.js';
import { ZONE } from '../payouts/platform-components.js';
import { filePath } from '../payouts/platform-path.js';

export type FileState = 'made' | 'submitted' | 'ended' | 'not_sent';

/** Derives the state of a file from its payouts. */
export function stateOf({ notSentAt, states }: PlatformFile): FileState {
  if (notSentAt) return 'not_sent';
  if (states.some(({ status }) => status === 'exported')) return 'made';
  return states.some(({ status }) => status === 'submitted') ? 'submitted' : 'ended';
}

const BADGES: Readonly<Record<FileState, Badge>> = {
  made: { label: 'To be sent', tone: 'warn', icon: 'clock' },
  submitted: { label: 'At the bank', tone: 'busy', icon: 'bank' },
  ended: { label: 'Settled', tone: 'good', icon: 'check' },
  not_sent: { label: 'Not sent', tone: '', icon: 'ended' },
};

export const FileTag = ({ file }: { readonly file: PlatformFile }) => (
  <Tag {...BADGES[stateOf(file)]} />
);

/** "3 paid, 1 failed" */
export const statesText = ({ states }: PlatformFile): string =>
  states
    .map(
      ({ status, payouts }) =>
        `${numberText(payouts)} ${badgeOf(PAYOUT_BADGES, status).label.toLowerCase()}`,
    )
    .join(', ');

const COLUMNS = ['File', 'Created by', 'Payouts', 'Total', 'SHA-256', 'State'];

export const FileTable = ({ files }: { readonly files: readonly PlatformFile[] }) => (
  <Rows caption="Bank files, newest first" columns={COLUMNS} numbers={['Payouts', 'Total']}>
    {files.map((file) => (
      <tr>
        <Cell label="File" class="strong">
          <a href={filePath(file)}>
            <When at={file.createdAt} zone={ZONE} />
          </a>
        </Cell>
        <Cell label="Created by">
          <Typed text={file.createdByName} />
        </Cell>
        <Cell label="Payouts" class="num">
          {numberText(file.payouts)}
        </Cell>
        <Cell label="Total" class="num strong">
          <AmountValue minor={file.amount} currency={file.currency} />
        </Cell>
        <Cell label="SHA-256">
          <span class="id">{file.sha256.toString('hex').slice(0, 12)}…</span>
        </Cell>
        <Cell label="State">
          <FileTag file={file} />
          {file.states.length > 1 && <div class="text-secondary">{statesText(file)}</div>}
        </Cell>
      </tr>
    ))}
  </Rows>
);
