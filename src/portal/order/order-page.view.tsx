import { NEWEST_API_VERSION } from '../../common/api-version.js';
import type { Payment } from '../../database/entities/payment.entity.js';
import { Notice, PostForm } from '../layout/parts.js';
import { renderPage } from '../layout/shell.view.js';
import { ExceptionMark, StatusTag } from '../layout/status.js';
import { Amount, Text, When, zoneText } from '../layout/values.js';
import { mayHere, type PlacedVisit } from '../visit.js';
import { DeliveriesCard } from './deliveries.view.js';
import { MoneyCard } from './money.view.js';
import { Card, Code, Fact, Facts } from './order-parts.js';
import { orderPath, type OrderProps, sightNote } from './order-props.js';
import type { OrderPage } from './order-page.service.js';
import { storyOf } from './order-story.js';
import { inWords, momentText } from './order-words.js';
import { PaymentsCard } from './payments.view.js';
import { type RefusedNote, TimelineCard } from './timeline.view.js';

/** @param note that was refused */
export function renderOrder(
  visit: PlacedVisit,
  page: OrderPage,
  now: Date,
  note?: RefusedNote,
): string {
  const props = { visit, page };
  return renderPage({
    visit,
    title: `Order ${page.order.orderMerchantId}`,
    subtitle: `Times in ${zoneText(visit.place.timeZone, now)}`,
    actions: <Actions {...props} />,
    children: (
      <>
        <Head {...props} />
        <div class="order-facts">
          <FactsCard {...props} />
          <div>
            <PayerCard {...props} />
            <FieldsCard {...props} />
          </div>
        </div>
        <MoneyCard {...props} />
        <PaymentsCard {...props} />
        <TimelineCard {...props} note={note} />
        {mayHere(visit, 'deliveries.read') && <DeliveriesCard {...props} />}
        <RawJson {...props} />
      </>
    ),
  });
}

const Actions = ({ visit, page: { order, isCancelable } }: OrderProps) => (
  <>
    <a class="btn" href={`${orderPath(visit, order.txid)}/versions`}>
      API versions
    </a>
    {isCancelable && mayHere(visit, 'orders.cancel') && (
      <a class="btn" href={`${orderPath(visit, order.txid)}/cancel`}>
        Cancel order
      </a>
    )}
  </>
);

function Head({ visit, page: { order } }: OrderProps) {
  const deadline = momentText(order.expiresAt, visit.place.timeZone);
  return (
    <div class="order-head card mb-3">
      <div class="card-body">
        <p class="order-amount">
          <Amount minor={order.amount} currency={order.currency} />
          <StatusTag status={order.status} />
          <ExceptionMark exception={order.exception} />
        </p>
        <p class="order-story">{storyOf(order, deadline)}</p>
      </div>
    </div>
  );
}

function FactsCard({ visit, page }: OrderProps) {
  const { order, paymentPageUrl } = page;
  const { timeZone } = visit.place;
  return (
    <Card id="facts" title="Details">
      <Facts>
        <Fact name="Your order number">
          <Code text={order.orderMerchantId} />
        </Fact>
        <Fact name="Transaction id (txid)">
          <Code text={order.txid} />
        </Fact>
        <Fact name="Created">
          <When at={order.createdAt} timeZone={timeZone} />
        </Fact>
        <Fact name={order.paidAt ? 'Paid' : 'Can be paid until'}>
          <When at={order.paidAt ?? order.expiresAt} timeZone={timeZone} />
        </Fact>
        <Fact name="Last change">
          <When at={order.updatedAt} timeZone={timeZone} />
        </Fact>
        <Fact name="Received">
          <Amount minor={order.amountReceived} currency={order.currency} />
        </Fact>
        <Fact name="Refunded">
          <Amount minor={order.amountRefunded} currency={order.currency} />
        </Fact>
        <Fact name="Customer">
          <Customer page={page} />
        </Fact>
        <Fact name="Description">
          <Text text={order.description} />
        </Fact>
        <Fact name="Back to the shop">
          <Text text={order.returnUrl} />
        </Fact>
        <Fact name="Back after cancelling">
          <Text text={order.cancelUrl} />
        </Fact>
        <Fact name="Language">
          <Text text={order.locale} />
        </Fact>
        <Fact name="Payment page">
          {paymentPageUrl === null ? (
            'Not for your role: whoever has its address can cancel the order'
          ) : (
            <a class="id" href={paymentPageUrl} rel="noreferrer">
              {paymentPageUrl}
            </a>
          )}
        </Fact>
      </Facts>
    </Card>
  );
}

function Customer({ page: { order, sight } }: Pick<OrderProps, 'page'>) {
  if (sight.customer === 'none') return <>Not for your role in live mode</>;
  const { customerName, customerEmail } = order;
  return (
    <>
      <Text text={customerName} />
      {customerEmail !== null && (
        <>
          <br />
          <Text text={customerEmail} />
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
        <Notice>The payer is shown to you now. The audit log has a note of it.</Notice>
      )}
      {page.sight.payer === 'none' ? (
        <p class="mb-0">Your role does not see payers in live mode.</p>
      ) : page.payerKnown.size === 0 ? (
        <p class="mb-0">No provider has told who paid.</p>
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
  /** Where several paid. */
  readonly attempt: number | null;
}

const Payer = ({ payment, attempt }: PayerProps) => (
  <div class="payer">
    {attempt !== null && <h3 class="row-title">Attempt {attempt}</h3>}
    <Facts>
      <Fact name="Account">
        <Text text={payment.payerAccountNumber} />
      </Fact>
      <Fact name="Kind of account">{kindText(payment.payerAccountType)}</Fact>
      <Fact name="Name">
        <Text text={payment.payerAccountName} />
      </Fact>
    </Facts>
  </div>
);

const kindText = (type: string | null): string =>
  type === null ? '—' : type === 'iban' ? 'IBAN' : inWords(type);

function Reveal({ visit, page: { order, sight } }: OrderProps) {
  if (sight.payer !== 'masked') return null;
  if (!mayHere(visit, 'payer.reveal')) {
    return <p class="text-secondary mt-3 mb-0">Your role sees payers masked.</p>;
  }
  return (
    <div class="mt-3">
      <PostForm csrf={visit.csrf} action={`${orderPath(visit, order.txid)}/payer`}>
        <button class="btn">Show payer</button>
        <small class="form-hint">This is written to the audit log.</small>
      </PostForm>
    </div>
  );
}

function FieldsCard({ page: { order } }: OrderProps) {
  const fields = Object.entries(order.optionalFields);
  return (
    <Card id="fields" title="Optional fields">
      {fields.length === 0 ? (
        <p class="mb-0">The order has none.</p>
      ) : (
        <dl class="facts">
          {fields.map(([name, value]) => (
            <div>
              <dt>
                <Text text={name} />
              </dt>
              <dd>
                <Text text={value} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Card>
  );
}

const RawJson = ({ visit, page: { order, json, sight } }: OrderProps) => (
  <details class="card mb-3 fold">
    <summary class="card-body">
      Raw JSON, as version {NEWEST_API_VERSION} of the API answers
    </summary>
    <div class="card-body">
      {sight.payer !== 'full' && <p>{sightNote(sight.payer)}</p>}
      <pre class="json" tabindex={0} role="region" aria-label="Raw JSON">
        <code>{json}</code>
      </pre>
      <a href={`${orderPath(visit, order.txid)}/versions`}>Compare all versions</a>
    </div>
  </details>
);
