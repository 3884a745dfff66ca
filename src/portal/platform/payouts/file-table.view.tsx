import type { DeskFile } from '../../../database/repositories/payout-desk.repository.js';
import { PAYOUT_LOOKS } from '../../layout/payout-status.js';
import { type Look, Tag } from '../../layout/status.js';
import { Amount, numberText } from '../../layout/values.js';
import { Cell, Rows, Typed, When } from '../../settings/parts.js';
import { ZONE } from './desk-parts.js';
import { filePath } from './desk-path.js';

export type FileState = 'made' | 'submitted' | 'ended' | 'not_sent';

/** Where a file is, which its payouts tell. */
export function stateOf({ notSentAt, states }: DeskFile): FileState {
  if (notSentAt) return 'not_sent';
  if (states.some(({ status }) => status === 'exported')) return 'made';
  return states.some(({ status }) => status === 'submitted') ? 'submitted' : 'ended';
}

const LOOKS: Readonly<Record<FileState, Look>> = {
  made: { word: 'To be sent', tone: 'warn', icon: 'clock' },
  submitted: { word: 'At the bank', tone: 'busy', icon: 'bank' },
  ended: { word: 'Settled', tone: 'good', icon: 'check' },
  not_sent: { word: 'Not sent', tone: '', icon: 'ended' },
};

export const FileTag = ({ file }: { readonly file: DeskFile }) => (
  <Tag look={LOOKS[stateOf(file)]} />
);

/** "3 paid, 1 failed" */
export const statesText = ({ states }: DeskFile): string =>
  states
    .map(
      ({ status, payouts }) => `${numberText(payouts)} ${PAYOUT_LOOKS[status].word.toLowerCase()}`,
    )
    .join(', ');

const COLUMNS = ['File', 'Made by', 'Payouts', 'Sum', 'SHA-256', 'State'];

export const FileTable = ({ files }: { readonly files: readonly DeskFile[] }) => (
  <Rows caption="Bank files, the newest first" columns={COLUMNS} numbers={['Payouts', 'Sum']}>
    {files.map((file) => (
      <tr>
        <Cell label="File" class="strong">
          <a href={filePath(file)}>
            <When at={file.createdAt} zone={ZONE} />
          </a>
        </Cell>
        <Cell label="Made by">
          <Typed text={file.createdByName} />
        </Cell>
        <Cell label="Payouts" class="num">
          {numberText(file.payouts)}
        </Cell>
        <Cell label="Sum" class="num strong">
          <Amount minor={file.amount} currency={file.currency} />
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
