import { printedIban } from '../../../common/iban.js';
import { withoutDashes } from '../../../common/ids.js';
import { Card, Code, Fact, Facts } from '../../order/order-parts.js';
import { Icon } from '../../layout/icons.js';
import { PayoutTag } from '../../layout/payout-status.js';
import { renderPage } from '../../layout/shell.view.js';
import { Amount, dayText, numberText } from '../../layout/values.js';
import { TimelineCard } from '../../payouts/payout-timeline.view.js';
import { Trouble } from '../../settings/fields.js';
import type { Problems } from '../../settings/form.js';
import { Typed, When } from '../../settings/parts.js';
import type { SignedVisit } from '../../visit.js';
import { AskedBy, DeskDone, ZONE } from './desk-parts.js';
import { deskPath, filePath } from './desk-path.js';
import { Decision } from './decision.view.js';
import { canBecome, type PayoutPage } from './payout-page.service.js';
import { LinesCard, SumsCard } from './payout-lines.view.js';
import { storyOf } from './payout-words.js';

export interface PayoutProps {
  readonly visit: SignedVisit;
  readonly page: PayoutPage;
  /** Whether an approval needs a code first. */
  readonly owesCode: boolean;
  readonly problems?: Problems | undefined;
  readonly form?: URLSearchParams | undefined;
  /** What the form before this page did. */
  readonly done?: unknown;
}

export function renderPayout(props: PayoutProps): string {
  const { visit, page, problems, done } = props;
  const { payout } = page;
  return renderPage({
    visit,
    title: 'Payout',
    subtitle: (
      <>
        <a href={deskPath(payout.mode)}>Payouts</a> · Times in UTC
      </>
    ),
    children: (
      <>
        <DeskDone word={done} />
        <Trouble problems={problems} />
        <Head {...page} />
        <div class="order-facts">
          <div>
            <AccountCard {...page} />
            <SumsCard {...page} />
          </div>
          <div>
            <Decision {...props} />
            <TimelineCard steps={page.timeline} timeZone={ZONE} />
          </div>
        </div>
        <LinesCard {...page} />
      </>
    ),
  });
}

const Head = ({ payout }: PayoutPage) => (
  <div class="order-head card mb-3">
    <div class="card-body">
      <p class="order-amount">
        <Amount minor={payout.amount} currency={payout.currency} />
        <PayoutTag status={payout.status} />
      </p>
      <p class="order-story">
        To{' '}
        <a href={`/portal/platform/merchants/${payout.merchantId}`}>
          <Typed text={payout.merchantName} />
        </a>
        . {storyOf(payout)}
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
const AccountCard = (page: PayoutPage) => {
  const { payout, account } = page;
  return (
    <Card id="account" title="Where the money goes">
      <Facts>
        <Fact name="Account holder">
          <Typed text={payout.holder} />
        </Fact>
        <Fact name="IBAN">
          <span class="mono">{printedIban(payout.iban)}</span>
        </Fact>
        {canBecome(payout, 'rejected') && (
          <Fact name="Paid to this account before">
            <Before {...page} />
          </Fact>
        )}
        <Fact name="Account added">
          <When at={account.createdAt} zone={ZONE} />
          <div>
            by <Typed text={account.createdByName} />
          </div>
        </Fact>
        <Fact name="Account confirmed">
          <When at={account.confirmedAt} zone={ZONE} never="Not confirmed" />
          {account.confirmedByName && (
            <div>
              by <Typed text={account.confirmedByName} />
            </div>
          )}
        </Fact>
        <Fact name="Payout asked for">
          <When at={payout.createdAt} zone={ZONE} />
          <div>
            by <AskedBy name={payout.requestedByName} />
            {payout.requestedByEmail && (
              <div class="text-secondary">
                <Typed text={payout.requestedByEmail} />
              </div>
            )}
          </div>
        </Fact>
        <Later {...page} />
        <Fact name="Payout’s id">
          <Code text={payout.id} />
        </Fact>
        <Fact name="End-to-end id at the bank">
          <Code text={withoutDashes(payout.id)} />
        </Fact>
      </Facts>
    </Card>
  );
};

/** The first payout to an account is the one to look at twice. */
function Before({ account: { paid, refused, lastPaidAt } }: PayoutPage) {
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
const Later = ({ payout }: PayoutPage) => (
  <>
    {payout.approvedAt && (
      <Fact name="Approved">
        <When at={payout.approvedAt} zone={ZONE} />
        {payout.approvedByName && (
          <div>
            by <Typed text={payout.approvedByName} />
          </div>
        )}
      </Fact>
    )}
    {payout.fileId && (
      <Fact name="Bank file">
        <a href={filePath({ mode: payout.mode, id: payout.fileId })}>Open the file</a>
      </Fact>
    )}
    {payout.paidAt && (
      <Fact name="Paid">
        <When at={payout.paidAt} zone={ZONE} />
      </Fact>
    )}
  </>
);
