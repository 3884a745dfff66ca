import { toMajorUnits } from '../../../common/money/money.js';
import type { SignedInContext } from '../../../people/portal-context.js';
import { Choice, FormCard } from '../../kit/fields.js';
import { formFields, FormButtons, FormField, PostForm } from '../../kit/form-components.js';
import { formWith, type Problems } from '../../kit/form.js';
import { moneyText } from '../../kit/order-text.js';
import { renderPage } from '../../layout/shell.view.js';
import { FreshCode } from '../payouts/platform-components.js';
import { unallocatedPath } from '../payouts/platform-path.js';
import { OrderDetails } from './order-details.view.js';
import type { RefundPage } from './refund-page.service.js';
import { REFUND_NOTE_MAX } from './refund.form.js';

interface Props {
  readonly context: SignedInContext;
  readonly page: RefundPage;
  /** The submitted values. */
  readonly form?: URLSearchParams;
  readonly problems?: Problems | undefined;
}

/** Form that records a refund. */
export const renderRefund = (props: Props): string =>
  renderPage({
    context: props.context,
    title: 'Record a refund',
    children: (
      <FormCard problems={props.problems}>
        <OrderDetails {...props.page} />
        {props.page.left.length > 0 ? (
          <Form {...props} />
        ) : (
          <p class="mt-3 mb-0">
            This order has no funds to refund.{' '}
            <a href={unallocatedPath(props.page.order.mode)}>Back</a>
          </p>
        )}
      </FormCard>
    ),
  });

function Form({ context, page, form = blank(page), problems }: Props) {
  const { order, left, needsCode } = page;
  const field = formFields(form, problems);
  return (
    <PostForm csrf={context.csrf}>
      <input type="hidden" name="version" value={order.version} />
      <p class="mt-3">
        Send the refund first, at the bank or the provider: this form only records it. The merchant
        is notified, and the refunded amount can no longer be accepted as payment of the order.
      </p>
      <Choice
        {...field('currency')}
        label="Unallocated funds"
        options={left.map(({ amount, currency }) => [currency, moneyText(amount, currency)])}
      />
      <FormField {...field('amount')} label="Refunded amount" autocomplete="off" maxLength={20} />
      <FormField
        {...field('note')}
        label="Reference"
        hint="For example the bank reference. It is stored in the ledger."
        autocomplete="off"
        maxLength={REFUND_NOTE_MAX}
      />
      {needsCode && <FreshCode problem={problems?.['code']} />}
      <FormButtons label="Record refund" back={unallocatedPath(order.mode)} isLong />
    </PostForm>
  );
}

function blank({ order, left }: RefundPage): URLSearchParams {
  const [{ amount, currency } = { amount: 0, currency: order.currency }] = left;
  return formWith({ currency, amount: toMajorUnits(amount, currency) });
}
