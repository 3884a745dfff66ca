import type { Mode } from '../../../database/merchants/api-key.entity.js';
import type { OutgoingAct } from '../../../database/bank/lines/outgoing-hand.entity.js';
import type { MoneyAct } from '../../../database/payouts/money-hand.entity.js';
import type {
  EarlierPayout,
  MoneyHandShown,
  MoneySource,
} from '../../../database/payouts/payout-money.repository.js';
import { Card, Detail, DetailList } from '../../kit/card.js';
import { Typed, When } from '../../kit/components.js';
import { Icon } from '../../kit/icons.js';
import { PayoutTag } from '../../kit/payout-status.js';
import { AmountValue, dayText, numberText } from '../../kit/values.js';
import { bankPath } from '../bank/bank-path.js';
import { AccountValue } from '../bank/line-components.js';
import type { Tab } from '../bank/line-filter.js';
import type { PlatformPayoutPage } from './payout-page.service.js';
import { ZONE } from './platform-components.js';
import { platformPayoutPath } from './platform-path.js';

/** Sources of the money and the users who handled it, for the approver to judge. */
export const OriginCard = ({ payout, sources, hands, earlier }: PlatformPayoutPage) => (
  <Card id="money" title="Source of funds">
    <ul class="rows">
      {sources.map((source) => (
        <li>
          <Source {...source} />
          {source.returns > 0 && <Left {...RETURNS} {...leftOf(source, source.returns, payout)} />}
          {source.unknown > 0 && <Left {...UNKNOWN} {...leftOf(source, source.unknown, payout)} />}
        </li>
      ))}
    </ul>
    {earlier.length > 0 && (
      <>
        <h3 class="h4 mt-4">Earlier payouts of this money</h3>
        <ul class="rows">
          {earlier.map((each) => (
            <Earlier {...each} href={platformPayoutPath({ ...payout, id: each.id })} />
          ))}
        </ul>
      </>
    )}
    <h3 class="h4 mt-4">Handled by</h3>
    {hands.length === 0 ? (
      <p class="text-secondary mb-0">
        Fully automatic: matched by rules or reported by the provider.
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
  const { account, provider, payments, amount, currency, returned } = source;
  return (
    <>
      <div class="strong">
        {account === null ? `Through ${provider}` : <AccountValue account={account} />}
      </div>
      <div>
        {payments === 1 ? '1 payment' : `${numberText(payments)} payments`},{' '}
        <AmountValue minor={amount} currency={currency} />
      </div>
      {returned > 0 && (
        <div class="strong">
          <AmountValue minor={returned} currency={currency} /> returned
        </div>
      )}
      {account !== null && <Known {...source} />}
    </>
  );
};

const Earlier = (props: EarlierPayout & { readonly href: string }) => {
  const { id, status, statusReason, left, cameBack, saidBy, href } = props;
  return (
    <li>
      <a href={href}>{id}</a> <PayoutTag status={status} />
      {statusReason !== null && (
        <div>
          <Typed text={statusReason} />
        </div>
      )}
      <div class="text-secondary">
        {saidBy.length > 0 && (
          <>
            Reported by <Typed text={saidBy.join(', ')} />.{' '}
          </>
        )}
        {left &&
          !cameBack &&
          'It left according to a bank statement, and no statement shows a return.'}
        {left && cameBack && 'It left and was returned, according to bank statements.'}
        {!left && 'No bank statement shows that it left.'}
      </div>
    </li>
  );
};

interface LeftTexts {
  readonly tab: Tab;
  readonly label: string;
  readonly one: string;
  readonly several: string;
}

/** Open returns block approvals of payouts with money from this account. */
const RETURNS: LeftTexts = {
  tab: 'waiting',
  label: 'Open returns',
  one: 'The bank returned money, and the return is not assigned to an order. Assign it first.',
  several:
    'The bank returned money, and these returns are not assigned to orders. Assign them first.',
};
/** Some statement formats do not mark returns as such. */
const UNKNOWN: LeftTexts = {
  tab: 'unknown_money_out',
  label: 'Unexplained debits',
  one: 'It may be a return of this money. Review it first.',
  several: 'One of them may be a return of this money. Review them first.',
};

interface LeftLines {
  readonly lines: number;
  readonly account: string;
  readonly mode: Mode;
}

/** Only sources with an account of the platform have open lines. */
const leftOf = (
  { account }: MoneySource,
  lines: number,
  { mode }: { readonly mode: Mode },
): LeftLines => ({ lines, account: account!, mode });

const Left = ({ tab, label, one, several, lines, account, mode }: LeftTexts & LeftLines) => (
  <div>
    <a class="tag warn" href={`${bankPath(mode)}?${new URLSearchParams({ tab, account })}`}>
      <Icon name="warning" />
      {label}: {numberText(lines)}
    </a>
    <div class="text-secondary">{lines === 1 ? one : several}</div>
  </div>
);

/** Who proposed and confirmed the account, or a warning if it is not a collection account. */
function Known({ since, holder, proposedByName, confirmedByName }: MoneySource) {
  if (since === null)
    return (
      <span class="tag bad">
        <Icon name="warning" />
        Not a collection account: do not approve
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
  profile_written: 'Created the CSV profile of the statement',
  match_undone: 'Undid a match',
  payer_added: 'Added the payer',
  same_booking: 'Marked two bookings as the same',
  same_booking_undone: 'Undid marking two bookings as the same',
  marked_distinct: 'Marked a booking as not a duplicate',
  marked_distinct_undone: 'Undid marking a booking as not a duplicate',
  account_proposed: 'Proposed the collection account or its display to payers',
  matched: 'Matched a bank line manually',
  transfers_allowed: 'Enabled bank transfers for the merchant',
  money_accepted: 'Accepted a late payment',
  refund_recorded: 'Recorded a refund',
  return_booked: 'Booked a returned payment',
  return_undone: 'Undid a returned payment',
  return_spared: 'Explained an outgoing payment that may return money of the merchant',
  report_handled: 'Resolved a provider callback',
  outgoing_brought: 'Imported a statement of the account',
  profile_changed: 'Added or removed a CSV profile',
  outgoing_decided: 'Explained an outgoing payment of the account',
};

const Hand = ({ act, userName, email, orders, at }: MoneyHandShown) => (
  <Detail name={ACTS[act]}>
    <Typed text={userName} />
    <div class="text-secondary">
      <Typed text={email} />
    </div>
    <div class="text-secondary">
      {orders > 0 && `${orders === 1 ? '1 order' : `${numberText(orders)} orders`}, `}
      <When at={at} zone={ZONE} />
    </div>
  </Detail>
);
