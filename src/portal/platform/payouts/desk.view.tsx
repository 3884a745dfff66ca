import type { DeskTotal } from '../../../database/repositories/payout-desk.repository.js';
import { renderPage } from '../../layout/shell.view.js';
import { Amount, numberText } from '../../layout/values.js';
import { Cell, Empty, Rows } from '../../settings/parts.js';
import type { SignedVisit } from '../../visit.js';
import {
  countText,
  DeskDone,
  DeskPages,
  PayerMissing,
  PayoutTable,
  Section,
  totalText,
} from './desk-parts.js';
import { deskPath, filesPath } from './desk-path.js';
import type { Desk } from './desk.service.js';
import { FileTable } from './file-table.view.js';

export const renderDesk = (visit: SignedVisit, desk: Desk, done: unknown): string =>
  renderPage({
    visit,
    title: 'Payouts',
    subtitle: 'Of all merchants. Times in UTC.',
    children: (
      <>
        <DeskDone word={done} />
        <Waiting {...desk} />
        <Approved {...desk} />
        <Files {...desk} />
      </>
    ),
  });

function Waiting({ mode, waiting, waitingTotals }: Desk) {
  const count = waitingTotals.reduce((sum, { payouts }) => sum + payouts, 0);
  return (
    <Section
      id="waiting"
      title={`Waiting for approval: ${numberText(count)}`}
      note={waitingTotals.map(totalText).join(' · ')}
    >
      {waiting.entries.length === 0 ? (
        <Empty title="Nothing waits for approval">
          Merchants ask for payouts in their portal; you find them here then.
        </Empty>
      ) : (
        <PayoutTable
          caption="Payouts that wait for approval, the oldest first"
          payouts={waiting.entries}
        />
      )}
      <DeskPages
        path={deskPath(mode)}
        isFirst={waiting.after === null}
        lastId={waiting.hasMore ? waiting.entries.at(-1)?.id : undefined}
        next="Later"
      />
    </Section>
  );
}

function Approved({ mode, approvedTotals, canPay }: Desk) {
  return (
    <Section id="approved" title="Approved, in no bank file yet">
      {approvedTotals.length === 0 ? (
        <p class="card-body text-secondary mb-0">None.</p>
      ) : (
        <>
          {!canPay && (
            <div class="card-body pb-0">
              <PayerMissing />
            </div>
          )}
          <Rows
            caption="Approved payouts, per currency"
            columns={['Payouts', 'Amount', 'Next step']}
            numbers={['Amount']}
          >
            {approvedTotals.map((total) => (
              <ApprovedRow total={total} path={filesPath(mode)} canPay={canPay} />
            ))}
          </Rows>
        </>
      )}
    </Section>
  );
}

interface ApprovedProps {
  readonly total: DeskTotal;
  readonly path: string;
  readonly canPay: boolean;
}

const ApprovedRow = ({ total: { payouts, amount, currency }, path, canPay }: ApprovedProps) => (
  <tr>
    <Cell label="Payouts">{countText(payouts, 'payout')}</Cell>
    <Cell label="Amount" class="num strong">
      <Amount minor={amount} currency={currency} />
    </Cell>
    <Cell label="Next step" class="actions">
      <a
        class={canPay ? 'btn btn-sm btn-primary' : 'btn btn-sm'}
        href={`${path}/new?currency=${currency}`}
      >
        {canPay ? 'Make a bank file' : 'See what would go out'}
        <span class="visually-hidden"> in {currency}</span>
      </a>
    </Cell>
  </tr>
);

const Files = ({ mode, files, hasMoreFiles }: Desk) => (
  <Section id="files" title="Bank files">
    {files.length === 0 ? (
      <p class="card-body text-secondary mb-0">None has been made.</p>
    ) : (
      <FileTable files={files} />
    )}
    {hasMoreFiles && (
      <div class="card-footer">
        <a href={filesPath(mode)}>All bank files</a>
      </div>
    )}
  </Section>
);
