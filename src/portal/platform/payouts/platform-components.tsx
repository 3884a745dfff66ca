import type { ComponentChildren } from 'preact';
import { printedIban } from '../../../common/money/iban.js';
import type {
  PlatformPayout,
  PlatformTotal,
} from '../../../database/read-models/platform-payout.repository.js';
import { Cell, Rows, Typed, When } from '../../kit/components.js';
import { doneBy, FormField, Notice } from '../../kit/form-components.js';
import type { ListPage } from '../../kit/list-query.js';
import { Pager } from '../../kit/list.view.js';
import { PayoutTag } from '../../kit/payout-status.js';
import { AmountValue, amountText, numberText } from '../../kit/values.js';
import { heldText } from './payout-text.js';
import { platformPayoutPath } from './platform-path.js';
import { MerchantName } from '../merchant-name.js';

/** Merchants have different time zones. */
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

interface PayoutOnly {
  readonly payout: PlatformPayout;
}

/** Requester: null = the payout schedule, or an API key of the command line. */
export const AskedBy = ({ payout }: PayoutOnly) =>
  payout.requestedByName === null ? (
    <span class="text-secondary">{isRefund(payout) ? 'An API key' : 'The schedule'}</span>
  ) : (
    <Typed text={payout.requestedByName} />
  );

export const isRefund = ({ refundId }: Pick<PlatformPayout, 'refundId'>): boolean =>
  refundId !== null;

/** "Payout" or "Refund". */
export const payoutWord = (payout: Pick<PlatformPayout, 'refundId'>): string =>
  isRefund(payout) ? 'Refund' : 'Payout';

interface TableProps {
  readonly caption: string;
  readonly payouts: readonly PlatformPayout[];
  /** Shows the status column. */
  readonly withStatus?: boolean;
}

const COLUMNS = ['Payout', 'Amount', 'Breakdown', 'Account', 'Requested'];

export const PayoutTable = ({ caption, payouts, withStatus }: TableProps) => (
  <Rows
    caption={caption}
    columns={withStatus ? [...COLUMNS, 'Status'] : COLUMNS}
    numbers={['Amount', 'Breakdown']}
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
        <MerchantName id={payout.merchantId} name={payout.merchantName} />
        <span class="visually-hidden">
          : {payoutWord(payout).toLowerCase()} of {amountText(payout.amount, payout.currency)}{' '}
          {payout.currency}
        </span>
      </a>
    </Cell>
    <Cell label="Amount" class="num strong">
      <AmountValue minor={payout.amount} currency={payout.currency} />
    </Cell>
    <Cell label="Breakdown" class="num">
      <MadeOf payout={payout} />
    </Cell>
    <Cell label="Account">
      <Typed text={payout.holder} />
      <div class="id">{printedIban(payout.iban)}</div>
      {heldText(payout) && <div class="text-secondary">{heldText(payout)}</div>}
    </Cell>
    <Cell label="Requested">
      <When at={payout.createdAt} zone={ZONE} />
      <div>
        <AskedBy payout={payout} />
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

/** Totals of orders, fees and corrections, or the order of a refund. */
const MadeOf = ({ payout }: PayoutOnly) => {
  if (payout.refundedOrder !== null)
    return (
      <>
        Refund of order <Typed text={payout.refundedOrder} />
      </>
    );
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

/** Uses U+2212 as minus: a hyphen is easily overlooked. */
export const signedText = (minor: number, currency: string): string =>
  `${minor < 0 ? '−' : ''}${amountText(Math.abs(minor), currency)}`;

/** Settings required to create bank files. */
export const PayerMissing = () => (
  <Notice kind="warn">
    Bank files cannot be created yet: the paying account is not configured. Set{' '}
    <code>PAYOUT_NAME</code> to the account holder as registered with the bank, and{' '}
    <code>PAYOUT_IBAN</code> to its IBAN, then restart the service.
  </Notice>
);

/** Success messages, by the `done` parameter. */
export const PlatformDone = doneBy({
  accepted: 'Payment accepted. The order is paid.',
  approved: 'Approved. The payout is included in the next bank file.',
  refunded: 'Refund recorded.',
  handled: 'Callback marked as resolved.',
  rejected: 'Rejected. The amount is available to the merchant again.',
  paid: 'Marked as paid.',
  failed: 'Marked as failed. The amount is available to the merchant again.',
  returned: 'Marked as returned. The amount is available to the merchant again.',
  made: 'File created. Download it and upload it to your bank.',
  confirmed: 'Code accepted. Download the file now.',
  submitted: 'Marked as submitted.',
  settled: 'All payouts of the file are marked as paid.',
  'not-sent': 'Marked as not sent. Its payouts can be exported again.',
});

interface PagerProps {
  readonly path: string;
  readonly page: Pick<ListPage<unknown>, 'after' | 'hasMore'>;
  /** ID of the last entry on the page. */
  readonly lastId: string | undefined;
  /** Direction of paging. */
  readonly next: 'Later' | 'Older';
}

export const PlatformPager = ({ path, page: { after, hasMore }, lastId, next }: PagerProps) => (
  <Pager
    first={after === null ? null : { label: next === 'Later' ? 'First' : 'Newest', href: path }}
    next={
      hasMore
        ? { label: next === 'Later' ? 'Next' : next, href: `${path}?after=${lastId}`, rel: 'next' }
        : null
    }
  />
);

/** Code field of actions that move money. */
export const FreshCode = ({ problem }: { readonly problem: string | undefined }) => (
  <FormField
    name="code"
    label="Code from your authenticator app"
    hint="Required every five minutes."
    problem={problem}
    autocomplete="one-time-code"
    maxLength={20}
  />
);
