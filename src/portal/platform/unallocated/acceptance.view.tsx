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

/** Asks once more before money becomes the merchant's. */
export const renderAcceptance = ({ context, page, problems }: Props): string =>
  renderPage({
    context,
    title: 'Accept late money',
    children: (
      <FormCard problems={problems ?? undefined}>
        <OrderDetails {...page} />
        {page.isAcceptable ? (
          <Form context={context} page={page} problems={problems ?? undefined} />
        ) : (
          <p class="mt-3 mb-0">
            {page.shortfall ?? 'There is no money to accept here.'}{' '}
            <a href={unallocatedPath(page.order.mode)}>Back</a>
          </p>
        )}
      </FormCard>
    ),
  });

function Form({ context, page, problems }: Props) {
  const { order, owesCode } = page;
  const money = `${amountText(order.amount, order.currency)} ${order.currency}`;
  const rest = order.amountReceived - order.amount;
  return (
    <PostForm csrf={context.csrf}>
      <p class="mt-3">
        {isOwedAgain(order)
          ? 'A bank took back what had paid this order, and it was paid again: as much of that as the order lacks becomes its merchant’s. The rest still goes back to the payer. '
          : `The order becomes paid, its merchant is told so, and ${money} less the fee can be paid out. `}
        {!isOwedAgain(order) &&
          rest > 0 &&
          `The other ${amountText(rest, order.currency)} ${order.currency} still go back to the payer. `}
        This cannot be undone. Ask the merchant first whether the payer still gets what was ordered.
      </p>
      {owesCode && <FreshCode problem={problems?.['code']} />}
      <FormButtons
        label={isOwedAgain(order) ? 'Accept it' : `Accept ${money}`}
        back={unallocatedPath(order.mode)}
        isLong
      />
    </PostForm>
  );
}
