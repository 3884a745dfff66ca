import type { Merchant } from '../../../database/entities/merchant.entity.js';
import type { Order } from '../../../database/entities/order.entity.js';
import { ExceptionMark, StatusTag } from '../../layout/status.js';
import { Amount } from '../../layout/values.js';
import { Fact, Facts } from '../../order/order-parts.js';
import { Typed } from '../../settings/parts.js';

interface Props {
  readonly order: Order;
  readonly merchant: Merchant;
}

/** Whose money it is about. */
export const OrderFacts = ({ order, merchant }: Props) => (
  <Facts>
    <Fact name="Order">
      <Typed text={order.orderMerchantId} />
      <div class="id">{order.txid}</div>
    </Fact>
    <Fact name="Merchant">
      <Typed text={merchant.name} />
    </Fact>
    <Fact name="Status">
      <StatusTag status={order.status} />
      <ExceptionMark exception={order.exception} />
    </Fact>
    <Fact name="Asked for">
      <Amount minor={order.amount} currency={order.currency} />
    </Fact>
    <Fact name="Arrived">
      <Amount minor={order.amountReceived} currency={order.currency} />
    </Fact>
    {order.amountRefunded > 0 && (
      <Fact name="Sent back">
        <Amount minor={order.amountRefunded} currency={order.currency} />
      </Fact>
    )}
  </Facts>
);
