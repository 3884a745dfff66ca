import { printedIban } from '../../../common/iban.js';
import { withoutDashes } from '../../../common/ids.js';
import type { SignedInContext } from '../../../people/portal-context.js';
import { Card, Code, Detail, DetailList } from '../../kit/card.js';
import { Typed, When } from '../../kit/components.js';
import { Trouble } from '../../kit/fields.js';
import type { Problems } from '../../kit/form.js';
import { Icon } from '../../kit/icons.js';
import { PayoutTag } from '../../kit/payout-status.js';
import { PayoutTimelineCard } from '../../kit/payout-timeline.view.js';
import { AmountValue, dayText, numberText } from '../../kit/values.js';
import { renderPage } from '../../layout/shell.view.js';
import { DecisionForm } from './decision.view.js';
import { PlatformLinesCard, SumsCard } from './payout-lines.view.js';
import { OriginCard } from './payout-money.view.js';
import { canBecome, type PlatformPayoutPage } from './payout-page.service.js';
import { statusSummary } from './payout-text.js';
import { AskedBy, PlatformDone, ZONE } from './platform-components.js';
import { platformPayoutsPath, filePath } from './platform-path.js';

export interface PayoutProps {
  readonly context: SignedInContext;
  readonly page: PlatformPayoutPage;
  /** Whether an approval needs a code first. */
  readonly owesCode: boolean;
  readonly problems?: Problems | undefined;
  readonly form?: URLSearchParams | undefined;
  /** What the form before this page did. */
  readonly done?: unknown;
}

export function renderPlatformPayout(props: PayoutProps): string {
  const { context, page, problems, done } = props;
  const { payout } = page;
  return renderPage({
    context,
    title: 'Payout',
    subtitle: (
      <>
        <a href={platformPayoutsPath(payout.mode)}>Payouts</a> · Times in UTC
      </>
    ),
    children: (
      <>
        <PlatformDone word={done} />
        <Trouble problems={problems} />
        <Head {...page} />
        <div class="order-facts">
          <div>
            <AccountCard {...page} />
            <OriginCard {...page} />
            <SumsCard {...page} />
          </div>
          <div>
            <DecisionForm {...props} />
            <PayoutTimelineCard steps={page.timeline} timeZone={ZONE} />
          </div>
        </div>
        <PlatformLinesCard {...page} />
      </>
    ),
  });
}

const Head = ({ payout }: PlatformPayoutPage) => (
  <div class="order-head card mb-3">
    <div class="card-body">
      <p class="order-amount">
        <AmountValue minor={payout.amount} currency={payout.currency} />
        <PayoutTag status={payout.status} />
      </p>
      <p class="order-story">
        To{' '}
        <a href={`/portal/platform/merchants/${payout.merchantId}`}>
          <Typed text={payout.merchantName} />
        </a>
        . {statusSummary(payout)}
      </p>
      {payout.statusReason && (
        <p class="order-story">
          Reason: <Typed text={payout.statusReason} />
        </p>
      )}
    </div>
  </div>
);

/** Where the money goes, and on whose word. */
const AccountCard = (page: PlatformPayoutPage) => {
  const { payout, account } = page;
  return (
    <Card id="account" title="Where the money goes">
      <DetailList>
        <Detail name="Account holder">
          <Typed text={payout.holder} />
        </Detail>
        <Detail name="IBAN">
          <span class="mono">{printedIban(payout.iban)}</span>
        </Detail>
        {canBecome(payout, 'rejected') && (
          <Detail name="Paid to this account before">
            <Before {...page} />
          </Detail>
        )}
        <Detail name="Account added">
          <When at={account.createdAt} zone={ZONE} />
          <div>
            by <Typed text={account.createdByName} />
          </div>
        </Detail>
        <Detail name="Account confirmed">
          <When at={account.confirmedAt} zone={ZONE} never="Not confirmed" />
          {account.confirmedByName && (
            <div>
              by <Typed text={account.confirmedByName} />
            </div>
          )}
        </Detail>
        <Detail name="Payout asked for">
          <When at={payout.createdAt} zone={ZONE} />
          <div>
            by <AskedBy name={payout.requestedByName} />
            {payout.requestedByEmail && (
              <div class="text-secondary">
                <Typed text={payout.requestedByEmail} />
              </div>
            )}
          </div>
        </Detail>
        <Later {...page} />
        <Detail name="Payout’s id">
          <Code text={payout.id} />
        </Detail>
        <Detail name="End-to-end id at the bank">
          <Code text={withoutDashes(payout.id)} />
        </Detail>
      </DetailList>
    </Card>
  );
};

/** The first payout to an account is the one to look at twice. */
function Before({ account: { paid, refused, lastPaidAt } }: PlatformPayoutPage) {
  if (paid === 0) {
    return (
      <span class="tag warn">
        <Icon name="warning" />
        {refused === 0 ? 'Never: look twice' : `Never; ${numberText(refused)} did not arrive`}
      </span>
    );
  }
  const last = lastPaidAt ? `, the last on ${dayText(lastPaidAt, ZONE)}` : '';
  const bad = refused === 0 ? '' : `; ${numberText(refused)} did not arrive`;
  return <>{`${paid === 1 ? 'Once' : `${numberText(paid)} times`}${last}${bad}`}</>;
}

/** What came after the request. */
const Later = ({ payout }: PlatformPayoutPage) => (
  <>
    {payout.approvedAt && (
      <Detail name="Approved">
        <When at={payout.approvedAt} zone={ZONE} />
        {payout.approvedByName && (
          <div>
            by <Typed text={payout.approvedByName} />
          </div>
        )}
      </Detail>
    )}
    {payout.fileId && (
      <Detail name="Bank file">
        <a href={filePath({ mode: payout.mode, id: payout.fileId })}>Open the file</a>
      </Detail>
    )}
    {payout.paidAt && (
      <Detail name="Paid">
        <When at={payout.paidAt} zone={ZONE} />
      </Detail>
    )}
  </>
);
