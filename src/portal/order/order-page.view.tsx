import type { Payment } from '../../database/payments/payment.entity.js';
import { NEWEST_API_VERSION } from '../../common/api-version.js';
import { mayHere, type MerchantContext } from '../../people/portal-context.js';
import { Card, Code, Detail, DetailList } from '../kit/card.js';
import { Notice, PostForm } from '../kit/form-components.js';
import { plainText, momentText } from '../kit/order-text.js';
import { ExceptionMark, StatusTag } from '../kit/status.js';
import { AmountValue, TextValue, TimeValue, zoneText } from '../kit/values.js';
import { renderPage } from '../layout/shell.view.js';
import { DeliveriesCard } from './deliveries.view.js';
import { MoneyCard } from './money.view.js';
import type { OrderPage } from './order-page.service.js';
import { orderPath, type OrderProps, visibilityNote } from './order-props.js';
import { orderSummary } from './order-summary.js';
import { PaymentsCard } from './payments.view.js';
import { RefundsCard } from './refunds.view.js';
import { type RefusedNote, TimelineCard } from './timeline.view.js';

/** @param note a rejected note with its problem */
export function renderOrder(
  context: MerchantContext,
  page: OrderPage,
  now: Date,
  note?: RefusedNote,
): string {
  const props = { context, page };
  return renderPage({
    context,
    title: `Order ${page.order.orderMerchantId}`,
    subtitle: `Times in ${zoneText(context.access.timeZone, now)}`,
    actions: <Actions {...props} />,
    children: (
      <>
        <Head {...props} />
        <div class="order-facts">
          <DetailsCard {...props} />
          <div>
            <PayerCard {...props} />
            <FieldsCard {...props} />
          </div>
        </div>
        <MoneyCard {...props} />
        <PaymentsCard {...props} />
        <RefundsCard {...props} />
        <TimelineCard {...props} note={note} />
        {mayHere(context, 'deliveries.read') && <DeliveriesCard {...props} />}
        <RawJson {...props} />
      </>
    ),
  });
}

const Actions = ({ context, page: { order, isCancelable, amountRefundable } }: OrderProps) => (
  <>
    <a class="btn" href={`${orderPath(context, order.txid)}/versions`}>
      API versions
    </a>
    {amountRefundable > 0 && mayHere(context, 'refunds.manage') && (
      <a class="btn" href={`${orderPath(context, order.txid)}/refund`}>
        Refund
      </a>
    )}
    {isCancelable && mayHere(context, 'orders.cancel') && (
      <a class="btn" href={`${orderPath(context, order.txid)}/cancel`}>
        Cancel order
      </a>
    )}
  </>
);

function Head({ context, page: { order } }: OrderProps) {
  const deadline = momentText(order.expiresAt, context.access.timeZone);
  return (
    <div class="order-head card mb-3">
      <div class="card-body">
        <p class="order-amount">
          <AmountValue minor={order.amount} currency={order.currency} />
          <StatusTag status={order.status} />
          <ExceptionMark exception={order.exception} />
        </p>
        <p class="order-story">{orderSummary(order, deadline)}</p>
      </div>
    </div>
  );
}

function DetailsCard({ context, page }: OrderProps) {
  const { order, paymentPageUrl } = page;
  const { timeZone } = context.access;
  return (
    <Card id="facts" title="Details">
      <DetailList>
        <Detail name="Your order number">
          <Code text={order.orderMerchantId} />
        </Detail>
        <Detail name="Transaction ID (txid)">
          <Code text={order.txid} />
        </Detail>
        <Detail name="Created">
          <TimeValue at={order.createdAt} timeZone={timeZone} />
        </Detail>
        <Detail name={order.paidAt ? 'Paid' : 'Payable until'}>
          <TimeValue at={order.paidAt ?? order.expiresAt} timeZone={timeZone} />
        </Detail>
        <Detail name="Last updated">
          <TimeValue at={order.updatedAt} timeZone={timeZone} />
        </Detail>
        <Detail name="Received">
          <AmountValue minor={order.amountReceived} currency={order.currency} />
        </Detail>
        <Detail name="Refunded">
          <AmountValue minor={order.amountRefunded} currency={order.currency} />
        </Detail>
        {order.amountRefundPending > 0 && (
          <Detail name="Being refunded">
            <AmountValue minor={order.amountRefundPending} currency={order.currency} />
          </Detail>
        )}
        <Detail name="Customer">
          <Customer page={page} />
        </Detail>
        <Detail name="Description">
          <TextValue text={order.description} />
        </Detail>
        <Detail name="Return URL">
          <TextValue text={order.returnUrl} />
        </Detail>
        <Detail name="Cancel URL">
          <TextValue text={order.cancelUrl} />
        </Detail>
        <Detail name="Language">
          <TextValue text={order.locale} />
        </Detail>
        <Detail name="Payment page">
          {paymentPageUrl === null ? (
            'Hidden for your role: the link allows cancelling the order'
          ) : (
            <a class="id" href={paymentPageUrl} rel="noreferrer">
              {paymentPageUrl}
            </a>
          )}
        </Detail>
      </DetailList>
    </Card>
  );
}

function Customer({ page: { order, visibility } }: Pick<OrderProps, 'page'>) {
  if (visibility.customer === 'none') return <>Hidden for your role in live mode</>;
  const { customerName, customerEmail } = order;
  return (
    <>
      <TextValue text={customerName} />
      {customerEmail !== null && (
        <>
          <br />
          <TextValue text={customerEmail} />
        </>
      )}
    </>
  );
}

function PayerCard(props: OrderProps) {
  const { page } = props;
  return (
    <Card id="payer" title="Payer">
      {page.isRevealed && (
        <Notice>Payer details are visible. This access was recorded in the audit log.</Notice>
      )}
      {page.visibility.payer === 'none' ? (
        <p class="mb-0">Payer details are hidden for your role in live mode.</p>
      ) : page.payerKnown.size === 0 ? (
        <p class="mb-0">No payer details from the provider yet.</p>
      ) : (
        <>
          {page.payments.map(
            (payment, i) =>
              page.payerKnown.has(payment.id) && (
                <Payer payment={payment} attempt={page.payerKnown.size > 1 ? i + 1 : null} />
              ),
          )}
          <Reveal {...props} />
        </>
      )}
    </Card>
  );
}

interface PayerProps {
  readonly payment: Payment;
  /** Null if there is only one payer. */
  readonly attempt: number | null;
}

const Payer = ({ payment, attempt }: PayerProps) => (
  <div class="payer">
    {attempt !== null && <h3 class="row-title">Attempt {attempt}</h3>}
    <DetailList>
      <Detail name="Account">
        <TextValue text={payment.payerAccountNumber} />
      </Detail>
      <Detail name="Account type">{kindText(payment.payerAccountType)}</Detail>
      <Detail name="Name">
        <TextValue text={payment.payerAccountName} />
      </Detail>
    </DetailList>
  </div>
);

const kindText = (type: string | null): string =>
  type === null ? '—' : type === 'iban' ? 'IBAN' : plainText(type);

function Reveal({ context, page: { order, visibility } }: OrderProps) {
  if (visibility.payer !== 'masked') return null;
  if (!mayHere(context, 'payer.reveal')) {
    return <p class="text-secondary mt-3 mb-0">Payer details are masked for your role.</p>;
  }
  return (
    <div class="mt-3">
      <PostForm csrf={context.csrf} action={`${orderPath(context, order.txid)}/payer`}>
        <button class="btn">Show payer</button>
        <small class="form-hint">This access is recorded in the audit log.</small>
      </PostForm>
    </div>
  );
}

function FieldsCard({ page: { order } }: OrderProps) {
  const fields = Object.entries(order.optionalFields);
  return (
    <Card id="fields" title="Optional fields">
      {fields.length === 0 ? (
        <p class="mb-0">None.</p>
      ) : (
        <dl class="facts">
          {fields.map(([name, value]) => (
            <div>
              <dt>
                <TextValue text={name} />
              </dt>
              <dd>
                <TextValue text={value} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Card>
  );
}

const RawJson = ({ context, page: { order, json, visibility } }: OrderProps) => (
  <details class="card mb-3 fold">
    <summary class="card-body">Raw JSON in API version {NEWEST_API_VERSION}</summary>
    <div class="card-body">
      {visibility.payer !== 'full' && <p>{visibilityNote(visibility.payer)}</p>}
      <pre class="json" tabindex={0} role="region" aria-label="Raw JSON">
        <code>{json}</code>
      </pre>
      <a href={`${orderPath(context, order.txid)}/versions`}>Compare API versions</a>
    </div>
  </details>
);
