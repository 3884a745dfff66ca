import { pathOf } from '../../people/portal-context.js';
import { may } from '../../people/roles.js';
import { CardCell, Head } from '../kit/card-table.js';
import { PAYOUT_BADGES } from '../kit/payout-status.js';
import { shortId } from '../kit/payout-text.js';
import { ExceptionMark, StatusTag, badgeOf } from '../kit/status.js';
import { AmountValue, amountText, TextValue, TimeValue } from '../kit/values.js';
import type { OrderLine } from './order-line.js';
import type { OrdersPage } from './order-list.service.js';

const COLUMNS = ['Provider', 'Payer account', 'Payer', 'Customer'] as const;

interface Props {
  readonly list: OrdersPage;
}

/** A table on a wide screen, cards on a narrow one. */
export const OrdersTable = ({ list }: Props) => {
  const allMerchants = list.access.scope.merchantId === null;
  return (
    <div class="table-responsive" role="region" aria-label="List of orders" tabindex={0} data-rows>
      <table class="table orders" role="table">
        <caption class="visually-hidden">Orders, the newest first</caption>
        <thead role="rowgroup">
          <tr role="row">
            <Head>{list.filter.basis === 'paid' ? 'Paid' : 'Created'}</Head>
            {allMerchants && <Head>Merchant</Head>}
            <Head>Order</Head>
            <Head>Status</Head>
            <Head isNumber>Amount</Head>
            {COLUMNS.map((column) => (
              <Head>{column}</Head>
            ))}
            {seesPayouts(list) && <Head>Payout</Head>}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {list.lines.map((line) => (
            <Row line={line} list={list} />
          ))}
        </tbody>
      </table>
    </div>
  );
};

const seesPayouts = ({ access }: OrdersPage): boolean => may(access.role, 'payouts.read');

const shownTime = (line: OrderLine, { filter }: OrdersPage): Date =>
  filter.basis === 'paid' && line.paidAt ? line.paidAt : line.createdAt;

function Row({ line, list }: Props & LineProps) {
  const { scope, timeZone } = list.access;
  return (
    <tr role="row">
      <CardCell kind="c-when">
        <TimeValue at={shownTime(line, list)} timeZone={timeZone} />
      </CardCell>
      {scope.merchantId === null && (
        <CardCell kind="c-merchant">
          <TextValue text={line.merchantName} />
        </CardCell>
      )}
      <OrderCell line={line} />
      <CardCell kind="c-status">
        <StatusTag status={line.status} />
        <ExceptionMark exception={line.exception} />
        <Moved line={line} />
      </CardCell>
      <CardCell kind="c-amount num">
        <AmountValue minor={line.amount} currency={line.currency} />
      </CardCell>
      <People line={line} />
      {seesPayouts(list) && <PayoutCell line={line} />}
    </tr>
  );
}

/** A payout that has not arrived yet says how far it is. */
const PayoutCell = ({ line: { payoutId, payoutStatus, ...line } }: LineProps) => (
  <CardCell kind={kindOf('c-more c-payout', payoutId)} label="Payout">
    {payoutId === null || payoutStatus === null ? (
      <TextValue text={null} />
    ) : (
      <>
        <a href={`${pathOf(line)}/payouts/${payoutId}`}>{shortId(payoutId)}</a>
        {payoutStatus !== 'paid' && (
          <span class="under">{badgeOf(PAYOUT_BADGES, payoutStatus).label}</span>
        )}
      </>
    )}
  </CardCell>
);

interface LineProps {
  readonly line: OrderLine;
}

const OrderCell = ({ line }: LineProps) => (
  <th scope="row" role="rowheader" class="c-order">
    <a href={`${pathOf(line)}/orders/${line.txid}`} data-row>
      <TextValue text={line.orderMerchantId} />
    </a>
    <span class="txid">{line.txid}</span>
  </th>
);

/** A card leaves out what there is not. */
const kindOf = (kind: string, text: string | null): string => (text ? kind : `${kind} c-none`);

const People = ({ line }: LineProps) => (
  <>
    <CardCell kind={kindOf('c-more', line.provider)} label="Provider">
      <TextValue text={line.provider} />
    </CardCell>
    <CardCell kind={kindOf('c-more c-account', line.payerAccount)} label="Payer account">
      <TextValue text={line.payerAccount} />
    </CardCell>
    <CardCell kind={kindOf('c-more c-name', line.payerName)} label="Payer">
      <TextValue text={line.payerName} />
    </CardCell>
    <CardCell
      kind={kindOf('c-more c-customer', line.customerName ?? line.customerEmail)}
      label="Customer"
    >
      <TextValue text={line.customerName ?? line.customerEmail} />
      {line.customerName && line.customerEmail && (
        <span class="under">
          <TextValue text={line.customerEmail} />
        </span>
      )}
    </CardCell>
  </>
);

/** Money that moved otherwise than asked for. */
function Moved({ line }: LineProps) {
  const { currency, amountReceived, amountRefunded } = line;
  const isOther = amountReceived !== 0 && amountReceived !== line.amount;
  return (
    <>
      {isOther && <span class="under">{amountText(amountReceived, currency)} received</span>}
      {amountRefunded > 0 && (
        <span class="under">{amountText(amountRefunded, currency)} refunded</span>
      )}
    </>
  );
}
