import type { PageTransfer } from '../../database/orders/order-page.repository.js';
import { mayHere, pathOf } from '../../people/portal-context.js';
import { Card, Detail, DetailList } from '../kit/card.js';
import { PayoutTag } from '../kit/payout-status.js';
import { shortId } from '../kit/payout-text.js';
import { AmountValue, TimeValue } from '../kit/values.js';
import { changeBy, transferText, unallocatedText } from './ledger-text.js';
import type { OrderProps } from './order-props.js';

/** Fee, net amount, payout and ledger entries of the order. */
export function MoneyCard(props: OrderProps) {
  const { page, context } = props;
  const { order, unallocated, ledger } = page;
  const seesPayouts = mayHere(context, 'payouts.read');
  if (order.fee === null && unallocated.length === 0) return null;
  return (
    <Card id="money" title="Money">
      {order.fee !== null && (
        <DetailList>
          <Detail name="Fee">
            <AmountValue minor={order.fee} currency={order.currency} />
          </Detail>
          <Detail name="Net">
            <AmountValue minor={order.amount - order.fee} currency={order.currency} />
          </Detail>
          {seesPayouts && (
            <Detail name="Payout">
              <PayoutOf {...props} />
            </Detail>
          )}
        </DetailList>
      )}
      {unallocated.map((each) => (
        <p class="mt-3 mb-0">{unallocatedText(order, each)}</p>
      ))}
      {ledger.length > 0 && <Ledger transfers={ledger} timeZone={context.access.timeZone} />}
    </Card>
  );
}

const PayoutOf = ({ context, page: { payout } }: OrderProps) =>
  payout === null ? (
    <>Not in a payout yet</>
  ) : (
    <>
      <a href={`${pathOf(context.access)}/payouts/${payout.id}`}>{shortId(payout.id)}</a>{' '}
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
      <caption class="visually-hidden">Ledger entries, oldest first</caption>
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
              <TimeValue at={transfer.createdAt} timeZone={timeZone} />
            </td>
            <td>
              <bdi>{transferText(transfer)}</bdi>
            </td>
            <td class="num">
              <AmountValue minor={changeBy(transfer)} currency={transfer.currency} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
