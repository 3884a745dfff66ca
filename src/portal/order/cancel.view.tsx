import type { OrderWithPayment } from '../../database/orders/order.entity.js';
import type { MerchantContext } from '../../people/portal-context.js';
import { FormButtons, PostForm } from '../kit/form-components.js';
import { moneyText } from '../kit/order-text.js';
import { StatusTag } from '../kit/status.js';
import { renderPage } from '../layout/shell.view.js';
import { orderPath } from './order-props.js';

/** Asks for confirmation, or explains why the order cannot be cancelled. */
export function renderCancel(
  context: MerchantContext,
  order: OrderWithPayment,
  isCancelable: boolean,
): string {
  const back = orderPath(context, order.txid);
  return renderPage({
    context,
    title: isCancelable
      ? `Cancel order ${order.orderMerchantId}?`
      : `Order ${order.orderMerchantId} cannot be cancelled`,
    children: isCancelable ? (
      <PostForm csrf={context.csrf}>
        <p>
          The payer can no longer pay {moneyText(order.amount, order.currency)}.{' '}
          {order.status === 'processing' && 'The pending payment is cancelled at the provider. '}
          {order.amountReceived > 0 &&
            `${moneyText(order.amountReceived, order.currency)} was already received: it becomes unallocated funds to be refunded. `}
          This cannot be undone.
        </p>
        <FormButtons label="Cancel the order" back={back} stay="Keep order" isLong />
      </PostForm>
    ) : (
      <>
        <p>
          <StatusTag status={order.status} />
        </p>
        <p>{whyNot(order)} Nothing was changed.</p>
        <p class="mb-0">
          <a href={back}>Back to the order</a>
        </p>
      </>
    ),
  });
}

function whyNot({ status, statusReason }: OrderWithPayment): string {
  switch (status) {
    case 'paid':
      return 'The order is paid. Refund it instead.';
    case 'cancelled':
      return 'The order is already cancelled.';
    case 'failed':
    case 'expired':
      return `The order has already ${status} and can no longer be paid.`;
    case 'open':
    case 'processing':
      return statusReason === 'outcome_unknown'
        ? 'The provider has not reported whether the payer paid.'
        : 'A payment is pending, and the provider cannot cancel it.';
  }
}
