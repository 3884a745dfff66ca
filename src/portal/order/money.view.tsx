import type { PageTransfer } from '../../database/repositories/order-page.repository.js';
import { PayoutTag } from '../layout/payout-status.js';
import { Amount, When } from '../layout/values.js';
import { shortId } from '../payouts/payout-words.js';
import { mayHere, pathOf } from '../visit.js';
import { changeBy, transferText, unallocatedText } from './ledger-words.js';
import { Card, Fact, Facts } from './order-parts.js';
import type { OrderProps } from './order-props.js';

/** What the order comes to for its merchant, where that is, and how it got there. */
export function MoneyCard(props: OrderProps) {
  const { page, visit } = props;
  const { order, unallocated, ledger } = page;
  const seesPayouts = mayHere(visit, 'payouts.read');
  if (order.fee === null && unallocated.length === 0) return null;
  return (
    <Card id="money" title="Money">
      {order.fee !== null && (
        <Facts>
          <Fact name="Fee">
            <Amount minor={order.fee} currency={order.currency} />
          </Fact>
          <Fact name="Net">
            <Amount minor={order.amount - order.fee} currency={order.currency} />
          </Fact>
          {seesPayouts && (
            <Fact name="Payout">
              <PayoutOf {...props} />
            </Fact>
          )}
        </Facts>
      )}
      {unallocated.map((each) => (
        <p class="mt-3 mb-0">{unallocatedText(order, each)}</p>
      ))}
      {ledger.length > 0 && <Ledger transfers={ledger} timeZone={visit.place.timeZone} />}
    </Card>
  );
}

const PayoutOf = ({ visit, page: { payout } }: OrderProps) =>
  payout === null ? (
    <>Not in a payout yet</>
  ) : (
    <>
      <a href={`${pathOf(visit.place)}/payouts/${payout.id}`}>{shortId(payout.id)}</a>{' '}
      <PayoutTag status={payout.status} />
    </>
  );

interface LedgerProps {
  readonly transfers: readonly PageTransfer[];
  readonly timeZone: string;
}

const Ledger = ({ transfers, timeZone }: LedgerProps) => (
  <div class="table-responsive mt-3" role="region" aria-label="Ledger" tabindex={0}>
    <table class="table table-sm mb-0">
      <caption class="visually-hidden">Entries of the ledger, the oldest first</caption>
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">What</th>
          <th scope="col" class="num">
            Amount
          </th>
        </tr>
      </thead>
      <tbody>
        {transfers.map((transfer) => (
          <tr>
            <td>
              <When at={transfer.createdAt} timeZone={timeZone} />
            </td>
            <td>
              <bdi>{transferText(transfer)}</bdi>
            </td>
            <td class="num">
              <Amount minor={changeBy(transfer)} currency={transfer.currency} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
