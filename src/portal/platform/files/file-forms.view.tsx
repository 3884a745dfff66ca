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

/** Shows what would go out before the file is made. */
export const renderNewFile = ({ context, proposal, problem }: NewProps): string =>
  renderPage({
    context,
    title: 'Make a bank file',
    subtitle: <a href={platformPayoutsPath(proposal.mode)}>Payouts</a>,
    children: (
      <>
        {problem && proposal.canPay && <Notice kind="bad">{problem}</Notice>}
        {!proposal.canPay && <PayerMissing />}
        <NewForm context={context} {...proposal} />
        <Section id="payouts" title="What would go out">
          <PayoutTable
            caption="Approved payouts, in the order of the file"
            payouts={proposal.payouts}
          />
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
  (format, i) => [format, i === 0 ? `${format} (usual)` : `${format} (for older banks)`] as const,
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
        <Detail name="Sum">
          <strong>
            <AmountValue minor={total.amount} currency={total.currency} />
          </strong>
        </Detail>
        <Detail name="Execution day">{dayText(executionDay, ZONE)}</Detail>
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
          <button class="btn btn-primary">Make the file</button>
        </PostForm>
      )}
    </div>
  </div>
);

export const renderNothingToExport = (context: SignedInContext, mode: Mode): string =>
  renderPage({
    context,
    title: 'Make a bank file',
    subtitle: <a href={platformPayoutsPath(mode)}>Payouts</a>,
    children: (
      <div class="card">
        <Empty title="Nothing waits for a file">
          No payout of this currency is approved, or somebody else has just made a file of them.
          Look at the newest file before you make another.
        </Empty>
      </div>
    ),
  });

/** The one way to a second file with the same payouts. */
export const renderNotSent = (context: SignedInContext, { file, downloads }: FilePage): string =>
  renderConfirm({
    context,
    title: 'Was the file not sent?',
    button: 'It was not sent, and will not be',
    back: filePath(file),
    stay: 'Back to the file',
    hidden: { downloads: String(downloads.length) },
    children: (
      <>
        <p>
          Say so only when you know that the bank does not have the file of{' '}
          {countText(file.payouts, 'payout')} over {amountText(file.amount, file.currency)}{' '}
          {file.currency}, and never will.
        </p>
        <p>
          Its payouts then wait for another file. Should the bank get this one all the same, every
          merchant in it is paid twice. This cannot be taken back.
        </p>
        {downloads.length > 0 && (
          <Notice kind="warn">
            The file was downloaded {downloads.length === 1 ? 'once' : `${downloads.length} times`}.
            Ask those who did, and delete their copies. Its payouts have to be approved once more,
            by somebody other than you, its maker and those who downloaded it.
          </Notice>
        )}
      </>
    ),
  });
