import type { Merchant } from '../../../database/merchants/merchant.entity.js';
import type { Order } from '../../../database/orders/order.entity.js';
import { Detail, DetailList } from '../../kit/card.js';
import { Typed } from '../../kit/components.js';
import { ExceptionMark, StatusTag } from '../../kit/status.js';
import { AmountValue } from '../../kit/values.js';

interface Props {
  readonly order: Order;
  readonly merchant: Merchant;
}

/** Order details above the refund and acceptance forms. */
export const OrderDetails = ({ order, merchant }: Props) => (
  <DetailList>
    <Detail name="Order">
      <Typed text={order.orderMerchantId} />
      <div class="id">{order.txid}</div>
    </Detail>
    <Detail name="Merchant">
      <Typed text={merchant.name} />
    </Detail>
    <Detail name="Status">
      <StatusTag status={order.status} />
      <ExceptionMark exception={order.exception} />
    </Detail>
    <Detail name="Order amount">
      <AmountValue minor={order.amount} currency={order.currency} />
    </Detail>
    <Detail name="Received">
      <AmountValue minor={order.amountReceived} currency={order.currency} />
    </Detail>
    {order.amountRefunded > 0 && (
      <Detail name="Refunded">
        <AmountValue minor={order.amountRefunded} currency={order.currency} />
      </Detail>
    )}
  </DetailList>
);
