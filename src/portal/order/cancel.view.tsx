import type { OrderWithPayment } from '../../database/orders/order.entity.js';
import type { MerchantContext } from '../../people/portal-context.js';
import { FormButtons, PostForm } from '../kit/form-components.js';
import { moneyText } from '../kit/order-text.js';
import { StatusTag } from '../kit/status.js';
import { renderPage } from '../layout/shell.view.js';
import { orderPath } from './order-props.js';

/** Asks before an order is cancelled, or says why it is not. */
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
          {order.status === 'processing' && 'The payment under way is stopped at its provider. '}
          {order.amountReceived > 0 &&
            `${moneyText(order.amountReceived, order.currency)} has come already: it is kept apart, to be sent back. `}
          This cannot be undone.
        </p>
        <FormButtons label="Cancel the order" back={back} stay="Keep it" isLong />
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
      return 'The order is paid. Give the money back with a refund instead.';
    case 'cancelled':
      return 'The order is cancelled already.';
    case 'failed':
    case 'expired':
      return `The order has ${status} already, so nobody can pay it any more.`;
    case 'open':
    case 'processing':
      return statusReason === 'outcome_unknown'
        ? 'The provider has not said whether the payer paid.'
        : 'Its payment is under way, and the provider does not stop it.';
  }
}
