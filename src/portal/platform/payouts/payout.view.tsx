import { printedIban } from '../../../common/money/iban.js';
import { withoutDashes } from '../../../common/ids.js';
import type { PlatformAccount } from '../../../database/read-models/platform-payout.repository.js';
import type { SignedInContext } from '../../../people/portal-context.js';
import { Card, Code, Detail, DetailList } from '../../kit/card.js';
import { Typed, When } from '../../kit/components.js';
import { Trouble } from '../../kit/fields.js';
import type { Problems } from '../../kit/form.js';
import { Icon } from '../../kit/icons.js';
import { PayoutTag } from '../../kit/payout-status.js';
import { PayoutTimelineCard } from '../../kit/payout-timeline.view.js';
import { AmountValue, dayText, numberText, TimeValue } from '../../kit/values.js';
import { renderPage } from '../../layout/shell.view.js';
import { DecisionForm } from './decision.view.js';
import { PlatformLinesCard, SumsCard } from './payout-lines.view.js';
import { OriginCard } from './payout-money.view.js';
import { canBecome, type PlatformPayoutPage } from './payout-page.service.js';
import { statusSummary } from './payout-text.js';
import { AskedBy, isRefund, payoutWord, PlatformDone, ZONE } from './platform-components.js';
import { platformPayoutsPath, filePath } from './platform-path.js';
import { MerchantName } from '../merchant-name.js';

export interface PayoutProps {
  readonly context: SignedInContext;
  readonly page: PlatformPayoutPage;
  /** Whether an approval asks for a code. */
  readonly needsCode: boolean;
  readonly problems?: Problems | undefined;
  readonly form?: URLSearchParams | undefined;
  /** Key of the success message. */
  readonly done?: unknown;
}

export function renderPlatformPayout(props: PayoutProps): string {
  const { context, page, problems, done } = props;
  const { payout } = page;
  return renderPage({
    context,
    title: payoutWord(payout),
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
            {page.account ? (
              <AccountCard {...page} account={page.account} />
            ) : (
              <PayerCard {...page} />
            )}
            <OriginCard {...page} />
            {!isRefund(payout) && <SumsCard {...page} />}
          </div>
          <div>
            <DecisionForm {...props} />
            {page.timeline.length > 0 && (
              <PayoutTimelineCard steps={page.timeline} timeZone={ZONE} />
            )}
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
        {isRefund(payout) ? 'To the payer of an order of ' : 'To '}
        <a href={`/portal/platform/merchants/${payout.merchantId}`}>
          <MerchantName id={payout.merchantId} name={payout.merchantName} />
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

/** Destination account, with who added and confirmed it. */
const AccountCard = (page: PlatformPayoutPage & { readonly account: PlatformAccount }) => {
  const { payout, account } = page;
  return (
    <Card id="account" title="Destination account">
      <DetailList>
        <Detail name="Account holder">
          <Typed text={payout.holder} />
        </Detail>
        <Detail name="IBAN">
          <span class="mono">{printedIban(payout.iban)}</span>
        </Detail>
        {canBecome(payout, 'rejected') && (
          <Detail name="Previous payouts to this account">
            <Before {...account} />
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
        <Request payout={payout} />
      </DetailList>
    </Card>
  );
};

/** Account from which the payment of a refund came, according to the bank or, if that named none, to the payer. */
const PayerCard = ({ payout, payee }: PlatformPayoutPage) => (
  <Card id="account" title="Account of the payer">
    <DetailList>
      <Detail name="Refunded order">
        <Typed text={payout.refundedOrder ?? ''} />
      </Detail>
      <Detail name={payee ? 'Payer, as entered by link' : 'Payer, as the bank named it'}>
        <Typed text={payout.holder} />
      </Detail>
      <Detail name="IBAN">
        <span class="mono">{printedIban(payout.iban)}</span>
      </Detail>
      {payee?.enteredAt && (
        <Detail name="Account entered">
          <TimeValue at={payee.enteredAt} timeZone="UTC" />
        </Detail>
      )}
      {payee && payout.mode === 'live' && (
        <Detail name="Confirmed by an owner">
          {payee.confirmedAt ? <TimeValue at={payee.confirmedAt} timeZone="UTC" /> : 'Not yet'}
        </Detail>
      )}
      <Detail name="Text for the payer">
        <Typed text={payout.remittance ?? ''} />
      </Detail>
      <Request payout={payout} />
    </DetailList>
  </Card>
);

/** Who requested it, and the steps after. */
const Request = ({ payout }: Pick<PlatformPayoutPage, 'payout'>) => (
  <>
    <Detail name={`${payoutWord(payout)} requested`}>
      <When at={payout.createdAt} zone={ZONE} />
      <div>
        by <AskedBy payout={payout} />
        {payout.requestedByEmail && (
          <div class="text-secondary">
            <Typed text={payout.requestedByEmail} />
          </div>
        )}
      </div>
    </Detail>
    <Later payout={payout} />
    <Detail name={`${payoutWord(payout)} ID`}>
      <Code text={payout.id} />
    </Detail>
    <Detail name="End-to-end ID at the bank">
      <Code text={withoutDashes(payout.id)} />
    </Detail>
  </>
);

/** Warns about the first payout to an account. */
function Before({ paid, refused, lastPaidAt }: PlatformAccount) {
  if (paid === 0) {
    return (
      <span class="tag warn">
        <Icon name="warning" />
        {refused === 0
          ? 'First payout to this account: please verify'
          : `None paid; ${numberText(refused)} failed or returned: please verify`}
      </span>
    );
  }
  const last = lastPaidAt ? `, last on ${dayText(lastPaidAt, ZONE)}` : '';
  const bad = refused === 0 ? '' : `; ${numberText(refused)} failed or returned`;
  return <>{`${numberText(paid)} paid${last}${bad}`}</>;
}

/** Steps after the request. */
const Later = ({ payout }: Pick<PlatformPayoutPage, 'payout'>) => (
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
