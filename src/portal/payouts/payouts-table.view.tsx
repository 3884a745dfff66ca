import type { ListedPayout } from '../../database/repositories/payout-page.repository.js';
import { Cell, Head } from '../layout/card-table.js';
import { PayoutTag } from '../layout/payout-status.js';
import { Amount, Text, When } from '../layout/values.js';
import type { PlacedVisit } from '../visit.js';
import { askerOf, maskedIban, payoutPath, shortId } from './payout-words.js';

interface TableProps {
  readonly visit: PlacedVisit;
  readonly rows: readonly ListedPayout[];
}

/** A table on a wide screen, cards on a narrow one. */
export const PayoutsTable = ({ visit, rows }: TableProps) => (
  <div class="table-responsive" role="region" aria-label="List of payouts" tabindex={0} data-rows>
    <table class="table orders" role="table">
      <caption class="visually-hidden">Payouts, the newest first</caption>
      <thead role="rowgroup">
        <tr role="row">
          <Head>Date</Head>
          <Head>Payout</Head>
          <Head>Status</Head>
          <Head isNumber>Amount</Head>
          <Head>Bank account</Head>
          <Head>Asked by</Head>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((payout) => (
          <Row visit={visit} payout={payout} />
        ))}
      </tbody>
    </table>
  </div>
);

interface RowProps {
  readonly visit: PlacedVisit;
  readonly payout: ListedPayout;
}

const Row = ({ visit, payout }: RowProps) => (
  <tr role="row">
    <Cell kind="c-when">
      <When at={payout.createdAt} timeZone={visit.place.timeZone} />
    </Cell>
    <th scope="row" role="rowheader" class="c-order">
      <a href={payoutPath(visit, payout)} title={payout.id} data-row>
        {shortId(payout.id)}
      </a>
    </th>
    <Cell kind="c-status">
      <PayoutTag status={payout.status} />
    </Cell>
    <Cell kind="c-amount num">
      <Amount minor={payout.amount} currency={payout.currency} />
    </Cell>
    <Cell kind="c-more c-account" label="Bank account">
      {maskedIban(payout.iban)}
    </Cell>
    <Cell kind="c-more c-name" label="Asked by">
      <Text text={askerOf(payout, payout.requestedByName)} />
    </Cell>
  </tr>
);
