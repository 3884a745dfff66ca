import { toMajorUnits } from '../../../common/money.js';
import type { SignedInContext } from '../../../people/portal-context.js';
import { Choice, FormCard } from '../../kit/fields.js';
import { FormField, PostForm } from '../../kit/form-components.js';
import { formWith, type Problems, textOf } from '../../kit/form.js';
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
  /** As it was typed. */
  readonly form?: URLSearchParams;
  readonly problems?: Problems | undefined;
}

/** Asks what was sent back, and how. */
export const renderRefund = (props: Props): string =>
  renderPage({
    context: props.context,
    title: 'Write down money sent back',
    children: (
      <FormCard problems={props.problems}>
        <OrderDetails {...props.page} />
        {props.page.left.length > 0 ? (
          <Form {...props} />
        ) : (
          <p class="mt-3 mb-0">
            There is no money to send back here.{' '}
            <a href={unallocatedPath(props.page.order.mode)}>Back</a>
          </p>
        )}
      </FormCard>
    ),
  });

function Form({ context, page, form = blank(page), problems }: Props) {
  const { order, left, owesCode } = page;
  return (
    <PostForm csrf={context.csrf}>
      <input type="hidden" name="version" value={order.version} />
      <p class="mt-3">
        Send the money back first, at the bank or the provider: this moves none. Its merchant is
        told, and what was sent back can no longer be accepted as the order’s payment.
      </p>
      <Choice
        name="currency"
        label="Kept apart"
        options={left.map(({ amount, currency }) => [currency, moneyText(amount, currency)])}
        value={textOf(form, 'currency')}
        problem={problems?.['currency']}
      />
      <FormField
        name="amount"
        label="Amount sent back"
        value={textOf(form, 'amount')}
        problem={problems?.['amount']}
        autocomplete="off"
        maxLength={20}
      />
      <FormField
        name="note"
        label="How"
        hint="Such as the reference at the bank. It stays in the books."
        value={textOf(form, 'note')}
        problem={problems?.['note']}
        autocomplete="off"
        maxLength={REFUND_NOTE_MAX}
      />
      {owesCode && <FreshCode problem={problems?.['code']} />}
      <div class="d-flex flex-wrap gap-2">
        <button class="btn btn-primary">Write it down</button>
        <a class="btn" href={unallocatedPath(order.mode)}>
          Back
        </a>
      </div>
    </PostForm>
  );
}

function blank({ order, left }: RefundPage): URLSearchParams {
  const [{ amount, currency } = { amount: 0, currency: order.currency }] = left;
  return formWith({ currency, amount: toMajorUnits(amount, currency) });
}
