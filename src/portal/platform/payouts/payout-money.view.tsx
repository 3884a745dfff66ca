import type { Mode } from '../../../database/merchants/api-key.entity.js';
import type { OutgoingAct } from '../../../database/bank/outgoing-hand.entity.js';
import type { MoneyAct } from '../../../database/payouts/money-hand.entity.js';
import type {
  MoneyHandShown,
  MoneySource,
} from '../../../database/payouts/payout-money.repository.js';
import { Card, Detail, DetailList } from '../../kit/card.js';
import { Typed, When } from '../../kit/components.js';
import { Icon } from '../../kit/icons.js';
import { AmountValue, dayText, numberText } from '../../kit/values.js';
import { bankPath } from '../bank/bank-path.js';
import { AccountValue } from '../bank/line-components.js';
import type { PlatformPayoutPage } from './payout-page.service.js';
import { ZONE } from './platform-components.js';

/** Where the money came in, and who decided that it is the orders': what a second person judges. */
export const OriginCard = ({ payout, sources, hands }: PlatformPayoutPage) => (
  <Card id="money" title="Where the money came from">
    <ul class="rows">
      {sources.map((source) => (
        <li>
          <Source {...source} />
          {source.waiting > 0 && <Waiting {...source} mode={payout.mode} />}
        </li>
      ))}
    </ul>
    <h3 class="h4 mt-4">Who had a hand in it</h3>
    {hands.length === 0 ? (
      <p class="text-secondary mb-0">
        Nobody by hand: rules matched it, or its provider told of it.
      </p>
    ) : (
      <DetailList>
        {hands.map((hand) => (
          <Hand {...hand} />
        ))}
      </DetailList>
    )}
  </Card>
);

const Source = (source: MoneySource) => {
  const { account, provider, payments, amount, currency } = source;
  return (
    <>
      <div class="strong">
        {account === null ? `Through ${provider}` : <AccountValue account={account} />}
      </div>
      <div>
        {payments === 1 ? 'One payment' : `${numberText(payments)} payments`},{' '}
        <AmountValue minor={amount} currency={currency} />
      </div>
      {account !== null && <Known {...source} />}
    </>
  );
};

/** Somebody may have kept a bank from being understood that took the money back. */
const Waiting = ({ waiting, account, mode }: MoneySource & { readonly mode: Mode }) => (
  <div>
    <a class="tag warn" href={`${bankPath(mode)}?${new URLSearchParams({ account: account! })}`}>
      <Icon name="warning" />
      Unknown money out: {numberText(waiting)}
    </a>
    <div class="text-secondary">
      {waiting === 1
        ? 'It may be the return of this money. Look at it first.'
        : 'One of them may be the return of this money. Look at them first.'}
    </div>
  </div>
);

/** Whose word there is for an account, or that there is none. */
function Known({ since, holder, proposedByName, confirmedByName }: MoneySource) {
  if (since === null)
    return (
      <span class="tag bad">
        <Icon name="warning" />
        No collection account: do not approve
      </span>
    );
  return (
    <div class="text-secondary">
      Collection account of <Typed text={holder ?? ''} /> since {dayText(since, ZONE)}
      {proposedByName !== null && (
        <>
          , proposed by <Typed text={proposedByName} />
        </>
      )}
      {confirmedByName !== null && (
        <>
          , confirmed by <Typed text={confirmedByName} />
        </>
      )}
    </div>
  );
}

const ACTS: Readonly<Record<MoneyAct | OutgoingAct, string>> = {
  file_brought: 'Imported the bank statement',
  profile_written: 'Wrote the CSV profile by which the statement was read',
  match_undone: 'Undid a match',
  payer_added: 'Added the payer',
  same_booking: 'Said that two bookings are the same',
  same_booking_undone: 'Took back that two bookings are the same',
  told_apart: 'Said that a booking is no duplicate',
  account_proposed: 'Proposed the collection account, or to show it first',
  matched: 'Matched a bank line by hand',
  transfers_allowed: 'Allowed bank transfers to the merchant',
  money_accepted: 'Accepted late money',
  refund_recorded: 'Recorded a refund',
  return_booked: 'Booked the return of a payment',
  return_undone: 'Undid the return of a payment',
  report_handled: 'Closed a provider’s report',
  outgoing_brought: 'Imported a statement with money that left the account',
  outgoing_decided: 'Said what money was that left the account',
};

const Hand = ({ act, userName, email, orders, at }: MoneyHandShown) => (
  <Detail name={ACTS[act]}>
    <Typed text={userName} />
    <div class="text-secondary">
      <Typed text={email} />
    </div>
    <div class="text-secondary">
      {orders > 0 && `${orders === 1 ? 'One order' : `${numberText(orders)} orders`}, `}
      <When at={at} zone={ZONE} />
    </div>
  </Detail>
);
