import type { ListedPayout } from '../../database/read-models/payout-page.repository.js';
import type { MerchantContext } from '../../people/portal-context.js';
import { CardCell, Head } from '../kit/card-table.js';
import { PayoutTag } from '../kit/payout-status.js';
import { askerOf, maskedIban, payoutPath, shortId } from '../kit/payout-text.js';
import { AmountValue, TextValue, TimeValue } from '../kit/values.js';

interface TableProps {
  readonly context: MerchantContext;
  readonly rows: readonly ListedPayout[];
}

/** A table on wide screens, cards on narrow ones. */
export const PayoutsTable = ({ context, rows }: TableProps) => (
  <div class="table-responsive" role="region" aria-label="List of payouts" tabindex={0} data-rows>
    <table class="table orders" role="table">
      <caption class="visually-hidden">Payouts, newest first</caption>
      <thead role="rowgroup">
        <tr role="row">
          <Head>Date</Head>
          <Head>Payout</Head>
          <Head>Status</Head>
          <Head isNumber>Amount</Head>
          <Head>Bank account</Head>
          <Head>Requested by</Head>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((payout) => (
          <Row context={context} payout={payout} />
        ))}
      </tbody>
    </table>
  </div>
);

interface RowProps {
  readonly context: MerchantContext;
  readonly payout: ListedPayout;
}

const Row = ({ context, payout }: RowProps) => (
  <tr role="row">
    <CardCell kind="c-when">
      <TimeValue at={payout.createdAt} timeZone={context.access.timeZone} />
    </CardCell>
    <th scope="row" role="rowheader" class="c-order">
      <a href={payoutPath(context, payout)} title={payout.id} data-row>
        {shortId(payout.id)}
      </a>
    </th>
    <CardCell kind="c-status">
      <PayoutTag status={payout.status} />
    </CardCell>
    <CardCell kind="c-amount num">
      <AmountValue minor={payout.amount} currency={payout.currency} />
    </CardCell>
    <CardCell kind="c-more c-account" label="Bank account">
      {maskedIban(payout.iban)}
    </CardCell>
    <CardCell kind="c-more c-name" label="Requested by">
      <TextValue text={askerOf(payout, payout.requestedByName)} />
    </CardCell>
  </tr>
);
