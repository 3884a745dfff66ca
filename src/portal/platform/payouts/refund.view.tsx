import { toMajorUnits } from '../../../common/money.js';
import { Field, PostForm } from '../../layout/parts.js';
import { renderPage } from '../../layout/shell.view.js';
import { moneyText } from '../../order/order-words.js';
import { Choice, Trouble } from '../../settings/fields.js';
import { formWith, type Problems, textOf } from '../../settings/form.js';
import type { SignedVisit } from '../../visit.js';
import { FreshCode } from './desk-parts.js';
import { unallocatedPath } from './desk-path.js';
import { OrderFacts } from './order-facts.view.js';
import type { RefundPage } from './refund-page.service.js';
import { NOTE_MAX } from './refund.form.js';

interface Props {
  readonly visit: SignedVisit;
  readonly page: RefundPage;
  /** As it was typed. */
  readonly form?: URLSearchParams;
  readonly problems?: Problems | undefined;
}

/** Asks what was sent back, and how. */
export const renderRefund = (props: Props): string =>
  renderPage({
    visit: props.visit,
    title: 'Write down money sent back',
    children: (
      <div class="card form-card">
        <div class="card-body">
          <Trouble problems={props.problems} />
          <OrderFacts {...props.page} />
          {props.page.left.length > 0 ? (
            <Form {...props} />
          ) : (
            <p class="mt-3 mb-0">
              There is no money to send back here.{' '}
              <a href={unallocatedPath(props.page.order.mode)}>Back</a>
            </p>
          )}
        </div>
      </div>
    ),
  });

function Form({ visit, page, form = blank(page), problems }: Props) {
  const { order, left, owesCode } = page;
  return (
    <PostForm csrf={visit.csrf}>
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
      <Field
        name="amount"
        label="Amount sent back"
        value={textOf(form, 'amount')}
        problem={problems?.['amount']}
        autocomplete="off"
        maxLength={20}
      />
      <Field
        name="note"
        label="How"
        hint="Such as the reference at the bank. It stays in the books."
        value={textOf(form, 'note')}
        problem={problems?.['note']}
        autocomplete="off"
        maxLength={NOTE_MAX}
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
