import { BANK_FILE_FORMATS } from '../../../database/entities/payout-file.entity.js';
import type { Mode } from '../../../database/entities/api-key.entity.js';
import { Notice, PostForm } from '../../layout/parts.js';
import { renderPage } from '../../layout/shell.view.js';
import { Amount, amountText, dayText, numberText } from '../../layout/values.js';
import { Fact, Facts } from '../../order/order-parts.js';
import { Checks } from '../../settings/fields.js';
import { Empty, renderConfirm } from '../../settings/parts.js';
import type { SignedVisit } from '../../visit.js';
import { countText, PayerMissing, PayoutTable, Section, ZONE } from './desk-parts.js';
import { deskPath, filePath } from './desk-path.js';
import type { FilePage, FileProposal } from './files.service.js';

interface NewProps {
  readonly visit: SignedVisit;
  readonly proposal: FileProposal;
  readonly problem?: string;
}

/** Shows what would go out before the file is made. */
export const renderNewFile = ({ visit, proposal, problem }: NewProps): string =>
  renderPage({
    visit,
    title: 'Make a bank file',
    subtitle: <a href={deskPath(proposal.mode)}>Payouts</a>,
    children: (
      <>
        {problem && proposal.canPay && <Notice kind="bad">{problem}</Notice>}
        {!proposal.canPay && <PayerMissing />}
        <NewForm visit={visit} {...proposal} />
        <Section id="payouts" title="What would go out">
          <PayoutTable
            caption="Approved payouts, in the order of the file"
            payouts={proposal.payouts}
          />
          {proposal.payouts.length < proposal.total.payouts && (
            <p class="card-footer mb-0">
              And {numberText(proposal.total.payouts - proposal.payouts.length)} more.
            </p>
          )}
        </Section>
      </>
    ),
  });

const FORMATS = BANK_FILE_FORMATS.map(
  (format, i) => [format, i === 0 ? `${format} (usual)` : `${format} (for older banks)`] as const,
);

const NewForm = ({
  visit,
  total,
  executionDay,
  canPay,
}: FileProposal & Pick<NewProps, 'visit'>) => (
  <div class="card form-card mb-3">
    <div class="card-body">
      <Facts>
        <Fact name="Payouts">{countText(total.payouts, 'payout')}</Fact>
        <Fact name="Sum">
          <strong>
            <Amount minor={total.amount} currency={total.currency} />
          </strong>
        </Fact>
        <Fact name="Execution day">{dayText(executionDay, ZONE)}</Fact>
      </Facts>
      {canPay && (
        <PostForm csrf={visit.csrf}>
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

export const renderNothingToExport = (visit: SignedVisit, mode: Mode): string =>
  renderPage({
    visit,
    title: 'Make a bank file',
    subtitle: <a href={deskPath(mode)}>Payouts</a>,
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
export const renderNotSent = (visit: SignedVisit, { file, downloads }: FilePage): string =>
  renderConfirm({
    visit,
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
