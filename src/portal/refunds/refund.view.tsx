import { toMajorUnits } from '../../common/money/money.js';
import type { OrderWithPayment } from '../../database/orders/order.entity.js';
import { REFUND_REASON_MAX } from '../../database/refunds/refund.entity.js';
import type { MerchantContext } from '../../people/portal-context.js';
import { BANK_TRANSFER } from '../../providers/bank-transfer/bank-transfer.provider.js';
import { FormCard } from '../kit/fields.js';
import { FormButtons, FormField, formFields, PostForm } from '../kit/form-components.js';
import { formWith, type Problems } from '../kit/form.js';
import { moneyText, providerText } from '../kit/order-text.js';
import { renderPage } from '../layout/shell.view.js';
import { orderPath } from '../order/order-props.js';

interface Props {
  readonly context: MerchantContext;
  readonly order: OrderWithPayment;
  /** What is left to refund, in minor units. */
  readonly left: number;
  /** The submitted values. */
  readonly form?: URLSearchParams;
  readonly problems?: Problems | undefined;
}

/** Form that requests a refund, or explains why there is none. */
export const renderRefundForm = (props: Props): string =>
  renderPage({
    context: props.context,
    title:
      props.left > 0
        ? `Refund order ${props.order.orderMerchantId}`
        : `Order ${props.order.orderMerchantId} cannot be refunded`,
    children: (
      <FormCard problems={props.problems}>
        {props.left > 0 ? <Form {...props} /> : <WhyNot {...props} />}
      </FormCard>
    ),
  });

/** Explains why a refund was not approved, rejected or cancelled. */
export const renderUndecided = (
  context: MerchantContext,
  { txid, orderMerchantId }: OrderWithPayment,
  problems: Problems,
): string =>
  renderPage({
    context,
    title: `Refund of order ${orderMerchantId} unchanged`,
    children: (
      <FormCard problems={problems}>
        <p class="mb-0">
          <a href={orderPath(context, txid)}>Back to the order</a>
        </p>
      </FormCard>
    ),
  });

function Form({ context, order, left, form = blank(order, left), problems }: Props) {
  const field = formFields(form, problems);
  const { payment, currency } = order;
  const isByBank = payment?.provider === BANK_TRANSFER;
  const isLive = context.access.mode === 'live';
  return (
    <PostForm csrf={context.csrf}>
      <input type="hidden" name="seen" value={left} />
      <p>
        {moneyText(left, currency)} of {moneyText(order.amountReceived, currency)} can be refunded.
        The money goes back the way it came
        {payment ? `: ${providerText(payment.provider, payment.method)}` : ''}. Payers usually have
        it within 5 bank days.
      </p>
      <FormField
        {...field('amount')}
        label={`Amount in ${currency}`}
        autocomplete="off"
        maxLength={20}
        isFocused
      />
      <FormField
        {...field('reason')}
        label="Reason"
        hint="For your own records. The payer does not see it."
        autocomplete="off"
        maxLength={REFUND_REASON_MAX}
        isOptional
      />
      <p>
        {isByBank &&
          payment.payerAccountNumber === null &&
          'The bank did not name the account of the payer: you get a link on which your customer enters one. '}
        {isByBank && 'An operator of the platform approves the refund, and sends it by bank. '}
        {!isByBank &&
          (isLive
            ? 'Another owner or finance member approves the refund. '
            : 'Test refunds are approved at once and move no money. ')}
        The amount leaves your available balance now.
      </p>
      <FormButtons label="Request the refund" back={orderPath(context, order.txid)} isLong />
    </PostForm>
  );
}

const WhyNot = ({ context, order }: Props) => (
  <>
    <p>
      {order.status === 'paid'
        ? 'All of its money was refunded or returned, or it cannot be sent back: its provider makes no refunds, or no transfer reaches the account of the payer.'
        : 'Only paid orders can be refunded.'}{' '}
      Nothing was changed.
    </p>
    <p class="mb-0">
      <a href={orderPath(context, order.txid)}>Back to the order</a>
    </p>
  </>
);

const blank = ({ currency }: OrderWithPayment, left: number): URLSearchParams =>
  formWith({ amount: toMajorUnits(left, currency) });
