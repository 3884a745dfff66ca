import { printedIban } from '../../common/money/iban.js';
import { withoutDashes } from '../../common/ids.js';
import type { ShownPayout } from '../../database/read-models/payout-page.repository.js';
import type { Payout } from '../../database/payouts/payout.entity.js';
import { movesOf } from '../../payouts/payout-moves.js';
import { mayHere, type MerchantContext } from '../../people/portal-context.js';
import { Card, Code, Detail, DetailList } from '../kit/card.js';
import { CsrfField } from '../kit/form-components.js';
import { Icon } from '../kit/icons.js';
import { PayoutDone } from '../kit/payout-components.js';
import { PayoutTag } from '../kit/payout-status.js';
import { askerOf, maskedIban, payoutPath, payoutsPath, shortId } from '../kit/payout-text.js';
import { PayoutTimelineCard } from '../kit/payout-timeline.view.js';
import { AmountValue, dayText, TextValue, TimeValue, zoneText } from '../kit/values.js';
import { renderPage } from '../layout/shell.view.js';
import { LinesCard } from './payout-lines.view.js';
import type { PayoutView } from './payout-pages.service.js';
import { payoutSummary } from './payout-summary.js';

interface Props {
  readonly context: MerchantContext;
  readonly view: PayoutView;
}

/** Page of one payout: state, timeline and lines. */
export const renderPayout = (context: MerchantContext, view: PayoutView, done: unknown): string =>
  renderPage({
    context,
    title: `Payout ${shortId(view.payout.id)}`,
    subtitle: (
      <>
        <a href={payoutsPath(context)}>All payouts</a> · Times in{' '}
        {zoneText(context.access.timeZone, view.now)}
      </>
    ),
    actions: <Actions context={context} view={view} />,
    children: (
      <>
        <PayoutDone word={done} />
        <HeadCard context={context} view={view} />
        <div class="payout-parts">
          <DetailsCard context={context} view={view} />
          <PayoutTimelineCard steps={view.timeline} timeZone={context.access.timeZone} />
        </div>
        <LinesCard context={context} view={view} />
      </>
    ),
  });

/** Whether an amount or an account can still be changed. */
export const isChangeable = ({ status, isInOldFile }: ShownPayout): boolean =>
  !isInOldFile && (status === 'draft' || status === 'pending_approval');

export const isPayoutCancelable = ({ status }: Payout): boolean =>
  movesOf(status).cancelled !== undefined;

function Actions({ context, view: { payout } }: Props) {
  if (!mayHere(context, 'payouts.manage')) return null;
  const path = payoutPath(context, payout);
  return (
    <>
      {isPayoutCancelable(payout) && (
        <a class="btn" href={`${path}/cancel`}>
          Cancel payout
        </a>
      )}
      {isChangeable(payout) && (
        <a class="btn" href={`${path}/edit`}>
          Change
        </a>
      )}
      {payout.status === 'draft' && (
        <form method="post" action={`${path}/submit`} data-once>
          <CsrfField csrf={context.csrf} />
          <button class="btn btn-primary">
            <Icon name="payout" />
            Request payout{' '}
          </button>
        </form>
      )}
    </>
  );
}

function HeadCard({ context, view: { payout } }: Props) {
  const paidOn = payout.paidAt && dayText(payout.paidAt, context.access.timeZone);
  return (
    <div class="card mb-3">
      <div class="card-body">
        <p class="order-amount">
          <AmountValue minor={payout.amount} currency={payout.currency} />
          <PayoutTag status={payout.status} />
        </p>
        <p class="order-story">
          {payoutSummary(payout, mayHere(context, 'payouts.manage'), paidOn)}
        </p>
      </div>
    </div>
  );
}

function DetailsCard({ context, view: { payout } }: Props) {
  const { timeZone } = context.access;
  const isWhole = mayHere(context, 'payouts.manage');
  return (
    <Card id="facts" title="Details">
      <DetailList>
        <Detail name="Account holder">
          <TextValue text={payout.holder} />
        </Detail>
        <Detail name="IBAN">
          <span class="iban">{isWhole ? printedIban(payout.iban) : maskedIban(payout.iban)}</span>
          {!isWhole && <div class="text-secondary">Masked for your role.</div>}
        </Detail>
        <Detail name="Requested by">
          <TextValue text={askerOf(payout, payout.requestedByName)} />
        </Detail>
        <Detail name="Created">
          <TimeValue at={payout.createdAt} timeZone={timeZone} />
        </Detail>
        {payout.paidAt && (
          <Detail name="Paid">
            <TimeValue at={payout.paidAt} timeZone={timeZone} />
          </Detail>
        )}
        <Detail name="Payout ID">
          <Code text={payout.id} />
        </Detail>
        <Detail name="Reference on your bank statement">
          <Code text={withoutDashes(payout.id)} />
        </Detail>
      </DetailList>
    </Card>
  );
}
