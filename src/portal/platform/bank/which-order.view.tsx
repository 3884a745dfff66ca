import {
  type MatchableOrder,
  SAME_ID_MAX,
} from '../../../database/bank/matching/bank-queue.repository.js';
import type { SignedInContext } from '../../../people/portal-context.js';
import { Detail, DetailList } from '../../kit/card.js';
import { Typed, When } from '../../kit/components.js';
import { FormCard } from '../../kit/fields.js';
import { FormButtons, PostForm } from '../../kit/form-components.js';
import { moneyText } from '../../kit/order-text.js';
import { ExceptionMark, StatusTag } from '../../kit/status.js';
import { TextValue } from '../../kit/values.js';
import { renderPage } from '../../layout/shell.view.js';
import { ZONE } from '../payouts/platform-components.js';
import { linePath } from './bank-path.js';
import { AccountValue, DayValue, LineAmount } from './line-components.js';
import type { NamedForm } from './line.form.js';
import type { BankLinePage } from './line-page.service.js';
import { differencesOf, type TypedOrder } from './which-order.js';
import { MerchantName } from '../merchant-name.js';

export interface WhichProps {
  readonly context: SignedInContext;
  readonly page: BankLinePage;
  readonly sent: NamedForm;
  readonly form: URLSearchParams;
  readonly typed: readonly TypedOrder[];
}

/** Asks the operator to confirm orders: order numbers are not unique across merchants. */
export const renderWhich = ({ context, page, sent, form, typed }: WhichProps): string =>
  renderPage({
    context,
    title: typed.some(({ orders }) => orders.length > 1) ? 'Which order?' : 'Is this the order?',
    children: (
      <FormCard>
        <Money {...page} />
        <PostForm action={`${linePath(page.line)}/${sent}`} csrf={context.csrf}>
          {[...form]
            .filter(([name]) => /^(?:(?:order|amount)\d?|note)$/.test(name))
            .filter(([name]) => !typed.some(({ field }) => field === name))
            .map(([name, value]) => (
              <input type="hidden" name={name} value={value} />
            ))}
          {typed.map((each) => (
            <Meant page={page} sent={sent} typed={each} />
          ))}
          <FormButtons
            label={sent === 'match' ? 'Match' : 'Book the return'}
            back={linePath(page.line)}
          />
        </PostForm>
      </FormCard>
    ),
  });

const Money = ({ line }: BankLinePage) => (
  <DetailList>
    <Detail name="Amount">
      <LineAmount {...line} />
    </Detail>
    <Detail name="Booking date">
      <DayValue day={line.bookedOn ?? line.valuedOn} />
    </Detail>
    <Detail name={line.direction === 'in' ? 'Payer' : 'Payee'}>
      <TextValue text={line.counterpartyName} />
    </Detail>
    <Detail name="Counterparty account">
      <AccountValue account={line.counterpartyAccount} type={line.counterpartyAccountType} />
    </Detail>
    <Detail name="Text">
      <TextValue text={line.text} />
    </Detail>
  </DetailList>
);

interface MeantProps extends Pick<WhichProps, 'page' | 'sent'> {
  readonly typed: TypedOrder;
}

const Meant = ({ page, sent, typed: { field, name, orders } }: MeantProps) => (
  <fieldset class="my-3">
    <legend class="form-label">
      {orders.length > 1 ? 'Orders with the number ' : 'Order with the number '}
      <Typed text={name} />
    </legend>
    {orders.length >= SAME_ID_MAX && (
      <p>Only the first {SAME_ID_MAX} are shown. For another order, enter its txid.</p>
    )}
    {orders.map((order) =>
      orders.length > 1 ? (
        <label class="form-check">
          <input class="form-check-input" type="radio" name={field} value={order.txid} required />
          <span class="form-check-label">
            <Candidate page={page} sent={sent} order={order} />
          </span>
        </label>
      ) : (
        <>
          <input type="hidden" name={field} value={order.txid} />
          <Candidate page={page} sent={sent} order={order} />
        </>
      ),
    )}
  </fieldset>
);

interface CandidateProps extends Pick<WhichProps, 'page' | 'sent'> {
  readonly order: MatchableOrder;
}

/** Only spans: it is rendered inside a label. */
const Candidate = ({ page, sent, order }: CandidateProps) => (
  <>
    <strong>
      <MerchantName id={order.merchantId} name={order.merchantName} />
    </strong>{' '}
    <StatusTag status={order.status} /> <ExceptionMark exception={order.exception} />
    <span class="d-block">
      {moneyText(order.amount, order.currency)}
      {order.amountReceived > 0 && `, ${moneyText(order.amountReceived, order.currency)} received`},
      created <When at={order.createdAt} zone={ZONE} />
      {order.customerName !== null && (
        <>
          , for <Typed text={order.customerName} />
        </>
      )}
    </span>
    {differencesOf(page, order, sent).map((sentence) => (
      <span class="d-block differs">{sentence}</span>
    ))}
    <span class="d-block id">{order.txid}</span>
  </>
);
