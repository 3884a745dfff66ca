import type { PlatformTotal } from '../../../database/read-models/platform-payout.repository.js';
import type { SignedInContext } from '../../../people/portal-context.js';
import { Cell, Empty, Rows } from '../../kit/components.js';
import { AmountValue, numberText } from '../../kit/values.js';
import { renderPage } from '../../layout/shell.view.js';
import { FileTable } from '../files/file-table.view.js';
import { heldCount } from './payout-text.js';
import {
  countText,
  PlatformDone,
  PlatformPager,
  PayerMissing,
  PayoutTable,
  Section,
  totalText,
} from './platform-components.js';
import { platformPayoutsPath, filesPath } from './platform-path.js';
import type { PlatformPayouts } from './platform-payouts.service.js';

export const renderPlatformPayouts = (
  context: SignedInContext,
  platform: PlatformPayouts,
  done: unknown,
): string =>
  renderPage({
    context,
    title: 'Payouts',
    subtitle: 'Of all merchants. Times in UTC.',
    children: (
      <>
        <PlatformDone word={done} />
        <Waiting {...platform} />
        <Approved {...platform} />
        <Files {...platform} />
      </>
    ),
  });

function Waiting({ mode, waiting, waitingTotals }: PlatformPayouts) {
  const count = waitingTotals.reduce((sum, { payouts }) => sum + payouts, 0);
  return (
    <Section
      id="waiting"
      title={`Pending approval: ${numberText(count)}`}
      note={waitingTotals.map(totalText).join(' · ')}
    >
      {waiting.entries.length === 0 ? (
        <Empty title="No payouts pending approval">
          {' '}
          Payouts requested by merchants appear here.{' '}
        </Empty>
      ) : (
        <PayoutTable caption="Payouts pending approval, oldest first" payouts={waiting.entries} />
      )}
      <PlatformPager
        path={platformPayoutsPath(mode)}
        page={waiting}
        lastId={waiting.entries.at(-1)?.id}
        next="Later"
      />
    </Section>
  );
}

function Approved({ mode, approvedTotals, canPay }: PlatformPayouts) {
  return (
    <Section id="approved" title="Approved, not in a bank file yet">
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
            caption="Approved payouts by currency"
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
  readonly total: PlatformTotal;
  readonly path: string;
  readonly canPay: boolean;
}

const ApprovedRow = ({
  total: { payouts, amount, currency, held },
  path,
  canPay,
}: ApprovedProps) => (
  <tr>
    <Cell label="Payouts">
      {countText(payouts, 'payout')}
      {held > 0 && <div class="text-secondary">{heldCount(held)}</div>}
    </Cell>
    <Cell label="Amount" class="num strong">
      <AmountValue minor={amount} currency={currency} />
    </Cell>
    <Cell label="Next step" class="actions">
      <a
        class={canPay && payouts > 0 ? 'btn btn-sm btn-primary' : 'btn btn-sm'}
        href={`${path}/new?currency=${currency}`}
      >
        {canPay && payouts > 0 ? 'Create a bank file' : 'Preview'}
        <span class="visually-hidden"> in {currency}</span>
      </a>
    </Cell>
  </tr>
);

const Files = ({ mode, files, hasMoreFiles }: PlatformPayouts) => (
  <Section id="files" title="Bank files">
    {files.length === 0 ? (
      <p class="card-body text-secondary mb-0">None.</p>
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
