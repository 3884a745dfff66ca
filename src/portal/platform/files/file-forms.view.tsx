import type { Mode } from '../../../database/merchants/api-key.entity.js';
import { BANK_FILE_FORMATS } from '../../../database/payouts/payout-file.entity.js';
import type { SignedInContext } from '../../../people/portal-context.js';
import { Detail, DetailList } from '../../kit/card.js';
import { Empty } from '../../kit/components.js';
import { Checks } from '../../kit/fields.js';
import { Notice, PostForm } from '../../kit/form-components.js';
import { AmountValue, amountText, dayText, numberText } from '../../kit/values.js';
import { renderConfirm } from '../../layout/form-page.view.js';
import { renderPage } from '../../layout/shell.view.js';
import { heldCount } from '../payouts/payout-text.js';
import {
  countText,
  PayerMissing,
  PayoutTable,
  Section,
  ZONE,
} from '../payouts/platform-components.js';
import { platformPayoutsPath, filePath } from '../payouts/platform-path.js';
import type { FilePage, FileProposal } from './files.service.js';

interface NewProps {
  readonly context: SignedInContext;
  readonly proposal: FileProposal;
  readonly problem?: string;
}

/** Shows the payouts of the file before it is created. */
export const renderNewFile = ({ context, proposal, problem }: NewProps): string =>
  renderPage({
    context,
    title: 'Create a bank file',
    subtitle: <a href={platformPayoutsPath(proposal.mode)}>Payouts</a>,
    children: (
      <>
        {problem && proposal.canPay && <Notice kind="bad">{problem}</Notice>}
        {!proposal.canPay && <PayerMissing />}
        <NewForm context={context} {...proposal} />
        <Section id="payouts" title="Payouts in the file">
          <PayoutTable caption="Approved payouts, in file order" payouts={proposal.payouts} />
          {proposal.payouts.length < approvedIn(proposal) && (
            <p class="card-footer mb-0">
              And {numberText(approvedIn(proposal) - proposal.payouts.length)} more.
            </p>
          )}
        </Section>
      </>
    ),
  });

const approvedIn = ({ total }: FileProposal): number => total.payouts + total.held;

const FORMATS = BANK_FILE_FORMATS.map(
  (format, i) => [format, i === 0 ? `${format} (default)` : `${format} (for older banks)`] as const,
);

const NewForm = ({
  context,
  total,
  executionDay,
  canPay,
}: FileProposal & Pick<NewProps, 'context'>) => (
  <div class="card form-card mb-3">
    <div class="card-body">
      <DetailList>
        <Detail name="Payouts">
          {countText(total.payouts, 'payout')}
          {total.held > 0 && <div>{heldCount(total.held)}</div>}
        </Detail>
        <Detail name="Total">
          <strong>
            <AmountValue minor={total.amount} currency={total.currency} />
          </strong>
        </Detail>
        <Detail name="Execution date">{dayText(executionDay, ZONE)}</Detail>
      </DetailList>
      {canPay && total.payouts > 0 && (
        <PostForm csrf={context.csrf}>
          <input type="hidden" name="currency" value={total.currency} />
          <div class="mt-3">
            <Checks
              name="format"
              label="Format"
              type="radio"
              options={FORMATS}
              chosen={[BANK_FILE_FORMATS[0]]}
            />
          </div>
          <button class="btn btn-primary">Create file</button>
        </PostForm>
      )}
    </div>
  </div>
);

export const renderNothingToExport = (context: SignedInContext, mode: Mode): string =>
  renderPage({
    context,
    title: 'Create a bank file',
    subtitle: <a href={platformPayoutsPath(mode)}>Payouts</a>,
    children: (
      <div class="card">
        <Empty title="No payouts to export">
          {' '}
          No approved payouts in this currency, or another operator has just created a file. Check
          the newest file before you create another.{' '}
        </Empty>
      </div>
    ),
  });

/** The only way to export the same payouts again. */
export const renderNotSent = (context: SignedInContext, { file, downloads }: FilePage): string =>
  renderConfirm({
    context,
    title: 'Mark the file as not sent?',
    button: 'Mark as not sent',
    back: filePath(file),
    stay: 'Back to the file',
    hidden: { downloads: String(downloads.length) },
    children: (
      <>
        <p>
          Confirm only if you are sure that the bank has not received and will not receive this file
          ({countText(file.payouts, 'payout')}, {amountText(file.amount, file.currency)}{' '}
          {file.currency}).
        </p>
        <p>
          Its payouts can then be exported in another file. If the bank still executes this one,
          every merchant in it is paid twice. This cannot be undone.
        </p>
        {downloads.length > 0 && (
          <Notice kind="warn">
            The file was downloaded {downloads.length === 1 ? 'once' : `${downloads.length} times`}.
            Ask everyone who downloaded it to delete their copies. Its payouts must be approved
            again by an operator who did not create or download the file and is not you.
          </Notice>
        )}
      </>
    ),
  });
