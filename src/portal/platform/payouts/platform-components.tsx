import type { ComponentChildren } from 'preact';
import { printedIban } from '../../../common/iban.js';
import type {
  PlatformPayout,
  PlatformTotal,
} from '../../../database/payouts/platform-payout.repository.js';
import { Cell, Rows, Typed, When } from '../../kit/components.js';
import { doneBy, FormField, Notice } from '../../kit/form-components.js';
import type { ListPage } from '../../kit/list-query.js';
import { Pager } from '../../kit/list.view.js';
import { PayoutTag } from '../../kit/payout-status.js';
import { AmountValue, amountText, numberText } from '../../kit/values.js';
import { heldText } from './payout-text.js';
import { platformPayoutPath } from './platform-path.js';

/** Merchants' clocks differ. */
export const ZONE = 'UTC';

interface SectionProps {
  readonly id: string;
  readonly title: string;
  /** Beside the heading. */
  readonly note?: string;
  readonly children: ComponentChildren;
}

/** A card for a table, under a heading of its own. */
export const Section = ({ id, title, note, children }: SectionProps) => (
  <section class="card mb-3" aria-labelledby={id}>
    <div class="card-header d-flex flex-wrap gap-2">
      <h2 class="card-title flex-fill" id={id}>
        {title}
      </h2>
      {note && <span class="text-secondary">{note}</span>}
    </div>
    {children}
  </section>
);

export const countText = (count: number, one: string): string =>
  `${numberText(count)} ${one}${count === 1 ? '' : 's'}`;

/** "3 payouts, 1,249.00 EUR" */
export const totalText = ({
  payouts,
  amount,
  currency,
}: Omit<PlatformTotal, 'status' | 'held'>): string =>
  `${countText(payouts, 'payout')}, ${amountText(amount, currency)} ${currency}`;

interface WhoProps {
  readonly name: string | null;
}

/** Nobody asks for what the schedule asks for. */
export const AskedBy = ({ name }: WhoProps) =>
  name === null ? <span class="text-secondary">The schedule</span> : <Typed text={name} />;

interface TableProps {
  readonly caption: string;
  readonly payouts: readonly PlatformPayout[];
  /** Where they may differ in it. */
  readonly withStatus?: boolean;
}

const COLUMNS = ['Payout', 'Amount', 'Made of', 'Account', 'Asked for'];

/** Payouts of any merchants. */
export const PayoutTable = ({ caption, payouts, withStatus }: TableProps) => (
  <Rows
    caption={caption}
    columns={withStatus ? [...COLUMNS, 'Status'] : COLUMNS}
    numbers={['Amount', 'Made of']}
  >
    {payouts.map((payout) => (
      <PayoutRow payout={payout} withStatus={withStatus} />
    ))}
  </Rows>
);

interface RowProps {
  readonly payout: PlatformPayout;
  readonly withStatus: boolean | undefined;
}

const PayoutRow = ({ payout, withStatus }: RowProps) => (
  <tr>
    <Cell label="Payout" class="strong">
      <a href={platformPayoutPath(payout)}>
        <Typed text={payout.merchantName} />
        <span class="visually-hidden">
          : payout of {amountText(payout.amount, payout.currency)} {payout.currency}
        </span>
      </a>
    </Cell>
    <Cell label="Amount" class="num strong">
      <AmountValue minor={payout.amount} currency={payout.currency} />
    </Cell>
    <Cell label="Made of" class="num">
      <MadeOf payout={payout} />
    </Cell>
    <Cell label="Account">
      <Typed text={payout.holder} />
      <div class="id">{printedIban(payout.iban)}</div>
      {heldText(payout) && <div class="text-secondary">{heldText(payout)}</div>}
    </Cell>
    <Cell label="Asked for">
      <When at={payout.createdAt} zone={ZONE} />
      <div>
        <AskedBy name={payout.requestedByName} />
      </div>
    </Cell>
    {withStatus && (
      <Cell label="Status">
        <PayoutTag status={payout.status} />
        {payout.statusReason && (
          <div class="text-secondary">
            <Typed text={payout.statusReason} />
          </div>
        )}
      </Cell>
    )}
  </tr>
);

/** What its lines come to, where there is more than orders. */
const MadeOf = ({ payout }: { readonly payout: PlatformPayout }) => {
  const { orderLines, orders, fees, corrections, currency } = payout;
  return (
    <>
      <div>
        {countText(orderLines, 'order')}: {amountText(orders, currency)}
      </div>
      {fees !== 0 && <div class="text-secondary">Fees: {signedText(fees, currency)}</div>}
      {corrections !== 0 && (
        <div class="text-secondary">Corrections: {signedText(corrections, currency)}</div>
      )}
    </>
  );
};

/** With the minus sign of typesetters: a hyphen is easily overlooked. */
export const signedText = (minor: number, currency: string): string =>
  `${minor < 0 ? '−' : ''}${amountText(Math.abs(minor), currency)}`;

/** What the service has to be told before it can make a file. */
export const PayerMissing = () => (
  <Notice kind="warn">
    No bank file can be made yet: the service does not know whose account pays. Set{' '}
    <code>PAYOUT_NAME</code> to the name of the account, as the bank knows it, and{' '}
    <code>PAYOUT_IBAN</code> to its IBAN, then start the service again.
  </Notice>
);

/** What the forms of these pages did; the address holds one of our own words only. */
export const PlatformDone = doneBy({
  accepted: 'The money is accepted: the order is paid.',
  approved: 'Approved. It goes into the next bank file.',
  refunded: 'Written down: the money was sent back.',
  handled: 'Written down: you have dealt with the message.',
  rejected: 'Rejected. The merchant can be paid out the amount again.',
  paid: 'Marked as paid.',
  failed: 'Marked as failed. The merchant can be paid out the amount again.',
  returned: 'Marked as returned. The merchant can be paid out the amount again.',
  made: 'The file is made. Download it and give it to the bank.',
  confirmed: 'Your code is right. Download the file now.',
  submitted: 'Noted: the bank has the file.',
  settled: 'All payouts of the file are paid.',
  'not-sent': 'Noted: the file was not sent. Its payouts can go into another one.',
});

interface PagerProps {
  readonly path: string;
  readonly page: Pick<ListPage<unknown>, 'after' | 'hasMore'>;
  /** The last entry that is shown. */
  readonly lastId: string | undefined;
  /** In which direction the pages go. */
  readonly next: 'Later' | 'Older';
}

export const PlatformPager = ({ path, page: { after, hasMore }, lastId, next }: PagerProps) => (
  <Pager
    first={after === null ? null : { label: next === 'Later' ? 'Oldest' : 'Newest', href: path }}
    next={hasMore ? { label: next, href: `${path}?after=${lastId}`, rel: 'next' } : null}
  />
);

/** For what moves money. */
export const FreshCode = ({ problem }: { readonly problem: string | undefined }) => (
  <FormField
    name="code"
    label="Code from your authenticator app"
    hint="It is asked for every five minutes."
    problem={problem}
    autocomplete="one-time-code"
    maxLength={20}
  />
);
