import type { Mode } from '../../../database/merchants/api-key.entity.js';
import type { UnallocatedOrder } from '../../../database/read-models/platform-payout.repository.js';
import type { DisputedCallback } from '../../../database/providers/provider-event.repository.js';
import { isAcceptable } from '../../../payments/acceptance.service.js';
import { isRefundable } from '../../../payments/recorded-refunds.service.js';
import { pathOf, type SignedInContext } from '../../../people/portal-context.js';
import { Cell, Empty, Rows, Typed, When } from '../../kit/components.js';
import type { ListPage } from '../../kit/list-query.js';
import { ExceptionMark, StatusTag } from '../../kit/status.js';
import { AmountValue } from '../../kit/values.js';
import { renderPage } from '../../layout/shell.view.js';
import { PlatformDone, PlatformPager, ZONE } from '../payouts/platform-components.js';
import { acceptancePath, refundPath, unallocatedPath } from '../payouts/platform-path.js';
import { DisputedCallbacks } from './disputed-callbacks.view.js';
import { MerchantName } from '../merchant-name.js';

export const renderUnallocated = (
  context: SignedInContext,
  mode: Mode,
  page: ListPage<UnallocatedOrder>,
  reports: readonly DisputedCallback[],
  done: unknown,
): string =>
  renderPage({
    context,
    title: 'Unallocated funds',
    subtitle:
      'Late, duplicate, partial or excess payments, and payments in a wrong currency. Excluded from payouts. Times in UTC.',
    children: (
      <>
        <PlatformDone word={done} />
        <DisputedCallbacks context={context} mode={mode} reports={reports} />
        <div class="card">
          {page.entries.length === 0 ? (
            <Empty title="No unallocated funds">All received payments match their orders.</Empty>
          ) : (
            <Orders context={context} orders={page.entries} mode={mode} />
          )}
          <PlatformPager
            path={unallocatedPath(mode)}
            page={page}
            lastId={page.entries.at(-1)?.txid}
            next="Older"
          />
        </div>
      </>
    ),
  });

interface OrdersProps {
  readonly context: SignedInContext;
  readonly orders: readonly UnallocatedOrder[];
  readonly mode: Mode;
}

const COLUMNS = ['Order', 'Merchant', 'Status', 'Order amount', 'Unallocated', 'Since'];

/** Only support can open merchant pages. */
const Orders = ({ context, orders, mode }: OrdersProps) => (
  <Rows
    caption="Orders with unallocated funds, newest first"
    columns={COLUMNS}
    numbers={['Order amount', 'Unallocated']}
  >
    {orders.map((order) => (
      <tr>
        <Cell label="Order" class="strong">
          {context.session.platformRole === 'support' ? (
            <a href={`${pathOf({ merchantId: order.merchantId, mode })}/orders/${order.txid}`}>
              <Typed text={order.orderMerchantId} />
            </a>
          ) : (
            <Typed text={order.orderMerchantId} />
          )}
          <div class="id">{order.txid}</div>
        </Cell>
        <Cell label="Merchant">
          <MerchantName id={order.merchantId} name={order.merchantName} />
        </Cell>
        <Cell label="Status">
          <StatusTag status={order.status} />
          <ExceptionMark exception={order.exception} />
          {context.session.platformRole === 'operator' && <Ways order={order} mode={mode} />}
        </Cell>
        <Cell label="Order amount" class="num">
          <AmountValue minor={order.amount} currency={order.currency} />
        </Cell>
        <Cell label="Unallocated" class="num strong">
          {order.sums.map(({ amount, currency }) => (
            <div>
              <AmountValue minor={amount} currency={currency} />
            </div>
          ))}
        </Cell>
        <Cell label="Since">
          <When at={order.at} zone={ZONE} />
        </Cell>
      </tr>
    ))}
  </Rows>
);

interface WaysProps {
  readonly order: UnallocatedOrder;
  readonly mode: Mode;
}

/** Actions of operators. */
function Ways({ order, mode }: WaysProps) {
  const key = { ...order, mode, id: order.txid };
  const own = order.sums.find(({ currency }) => currency === order.currency);
  return (
    <>
      {isAcceptable(order, own?.amount ?? 0) && (
        <a class="d-block" href={acceptancePath(key)}>
          Accept as paid
        </a>
      )}
      {order.sums.some(({ currency }) => isRefundable(order, currency)) && (
        <a class="d-block" href={refundPath(key)}>
          Record refund{' '}
        </a>
      )}
    </>
  );
}
