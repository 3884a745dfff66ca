import { withoutDashes } from '../../common/ids.js';
import { printedIban } from '../../common/iban.js';
import type { Payout } from '../../database/entities/payout.entity.js';
import type { ShownPayout } from '../../database/repositories/payout-page.repository.js';
import { MOVES } from '../../payouts/payout-moves.js';
import { Icon } from '../layout/icons.js';
import { CsrfField } from '../layout/parts.js';
import { PayoutTag } from '../layout/payout-status.js';
import { renderPage } from '../layout/shell.view.js';
import { Amount, dayText, Text, When, zoneText } from '../layout/values.js';
import { Card, Code, Fact, Facts } from '../order/order-parts.js';
import { mayHere, type PlacedVisit } from '../visit.js';
import { LinesCard } from './payout-lines.view.js';
import type { PayoutLook } from './payout-pages.service.js';
import { PayoutDone } from './payout-parts.js';
import { storyOf } from './payout-story.js';
import { TimelineCard } from './payout-timeline.view.js';
import { askerOf, maskedIban, payoutPath, payoutsPath, shortId } from './payout-words.js';

interface Props {
  readonly visit: PlacedVisit;
  readonly look: PayoutLook;
}

/** One payout: where it stands, who did what, and what it is made of. */
export const renderPayout = (visit: PlacedVisit, look: PayoutLook, done: unknown): string =>
  renderPage({
    visit,
    title: `Payout ${shortId(look.payout.id)}`,
    subtitle: (
      <>
        <a href={payoutsPath(visit)}>All payouts</a> · Times in{' '}
        {zoneText(visit.place.timeZone, look.now)}
      </>
    ),
    actions: <Actions visit={visit} look={look} />,
    children: (
      <>
        <PayoutDone word={done} />
        <HeadCard visit={visit} look={look} />
        <div class="payout-parts">
          <FactsCard visit={visit} look={look} />
          <TimelineCard steps={look.timeline} timeZone={visit.place.timeZone} />
        </div>
        <LinesCard visit={visit} look={look} />
      </>
    ),
  });

/** Whether an amount or an account can still be changed. */
export const isChangeable = ({ status, isInOldFile }: ShownPayout): boolean =>
  !isInOldFile && (status === 'draft' || status === 'pending_approval');

export const isCancelable = ({ status }: Payout): boolean => MOVES[status].cancelled !== undefined;

function Actions({ visit, look: { payout } }: Props) {
  if (!mayHere(visit, 'payouts.manage')) return null;
  const path = payoutPath(visit, payout);
  return (
    <>
      {isCancelable(payout) && (
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
          <CsrfField csrf={visit.csrf} />
          <button class="btn btn-primary">
            <Icon name="payout" />
            Ask for the payout
          </button>
        </form>
      )}
    </>
  );
}

function HeadCard({ visit, look: { payout } }: Props) {
  const paidOn = payout.paidAt && dayText(payout.paidAt, visit.place.timeZone);
  return (
    <div class="card mb-3">
      <div class="card-body">
        <p class="order-amount">
          <Amount minor={payout.amount} currency={payout.currency} />
          <PayoutTag status={payout.status} />
        </p>
        <p class="order-story">{storyOf(payout, mayHere(visit, 'payouts.manage'), paidOn)}</p>
      </div>
    </div>
  );
}

function FactsCard({ visit, look: { payout } }: Props) {
  const { timeZone } = visit.place;
  const isWhole = mayHere(visit, 'payouts.manage');
  return (
    <Card id="facts" title="Details">
      <Facts>
        <Fact name="Account holder">
          <Text text={payout.holder} />
        </Fact>
        <Fact name="IBAN">
          <span class="iban">{isWhole ? printedIban(payout.iban) : maskedIban(payout.iban)}</span>
          {!isWhole && <div class="text-secondary">Your role sees it masked.</div>}
        </Fact>
        <Fact name="Asked by">
          <Text text={askerOf(payout, payout.requestedByName)} />
        </Fact>
        <Fact name="Made">
          <When at={payout.createdAt} timeZone={timeZone} />
        </Fact>
        {payout.paidAt && (
          <Fact name="Paid">
            <When at={payout.paidAt} timeZone={timeZone} />
          </Fact>
        )}
        <Fact name="Payout id">
          <Code text={payout.id} />
        </Fact>
        <Fact name="Reference on your bank statement">
          <Code text={withoutDashes(payout.id)} />
        </Fact>
      </Facts>
    </Card>
  );
}
