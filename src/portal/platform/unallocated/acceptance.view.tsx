import type { SignedInContext } from '../../../people/portal-context.js';
import { FormCard } from '../../kit/fields.js';
import { FormButtons, PostForm } from '../../kit/form-components.js';
import type { Problems } from '../../kit/form.js';
import { isOwedAgain } from '../../../payments/owed-again.js';
import { amountText } from '../../kit/values.js';
import { renderPage } from '../../layout/shell.view.js';
import { FreshCode } from '../payouts/platform-components.js';
import { unallocatedPath } from '../payouts/platform-path.js';
import type { AcceptancePage } from './acceptance-page.service.js';
import { OrderDetails } from './order-details.view.js';

interface Props {
  readonly context: SignedInContext;
  readonly page: AcceptancePage;
  readonly problems?: Problems | null;
}

/** Asks for confirmation before a late payment is accepted. */
export const renderAcceptance = ({ context, page, problems }: Props): string =>
  renderPage({
    context,
    title: 'Accept late payment',
    children: (
      <FormCard problems={problems ?? undefined}>
        <OrderDetails {...page} />
        {page.isAcceptable ? (
          <Form context={context} page={page} problems={problems ?? undefined} />
        ) : (
          <p class="mt-3 mb-0">
            {page.shortfall ?? 'This order has no payment to accept.'}{' '}
            <a href={unallocatedPath(page.order.mode)}>Back</a>
          </p>
        )}
      </FormCard>
    ),
  });

function Form({ context, page, problems }: Props) {
  const { order, needsCode } = page;
  const money = `${amountText(order.amount, order.currency)} ${order.currency}`;
  const rest = order.amountReceived - order.amount;
  return (
    <PostForm csrf={context.csrf}>
      <p class="mt-3">
        {isOwedAgain(order)
          ? 'The original payment of this order was returned, and it was paid again. The missing amount is credited to the merchant; any excess must still be refunded to the payer. '
          : `The order becomes paid, the merchant is notified, and ${money} minus the fee can be paid out. `}
        {!isOwedAgain(order) &&
          rest > 0 &&
          `The excess of ${amountText(rest, order.currency)} ${order.currency} must still be refunded to the payer. `}
        This cannot be undone. First ask the merchant whether the order will still be fulfilled.
      </p>
      {needsCode && <FreshCode problem={problems?.['code']} />}
      <FormButtons
        label={isOwedAgain(order) ? 'Accept payment' : `Accept ${money}`}
        back={unallocatedPath(order.mode)}
        isLong
      />
    </PostForm>
  );
}
