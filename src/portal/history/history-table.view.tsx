import { Cell, Head } from '../layout/card-table.js';
import { PAYOUT_LOOKS } from '../layout/payout-status.js';
import { ExceptionMark, StatusTag } from '../layout/status.js';
import { Amount, amountText, Text, When } from '../layout/values.js';
import { shortId } from '../payouts/payout-words.js';
import { may } from '../roles.js';
import { pathOf } from '../visit.js';
import type { HistoryLine } from './history-line.js';
import type { HistoryLook } from './history.service.js';

const COLUMNS = ['Provider', 'Payer account', 'Payer', 'Customer'] as const;

interface Props {
  readonly look: HistoryLook;
}

/** A table on a wide screen, cards on a narrow one. */
export const HistoryTable = ({ look }: Props) => {
  const allMerchants = look.place.scope.merchantId === null;
  return (
    <div class="table-responsive" role="region" aria-label="List of orders" tabindex={0} data-rows>
      <table class="table orders" role="table">
        <caption class="visually-hidden">Orders, the newest first</caption>
        <thead role="rowgroup">
          <tr role="row">
            <Head>{look.filter.basis === 'paid' ? 'Paid' : 'Created'}</Head>
            {allMerchants && <Head>Merchant</Head>}
            <Head>Order</Head>
            <Head>Status</Head>
            <Head isNumber>Amount</Head>
            {COLUMNS.map((column) => (
              <Head>{column}</Head>
            ))}
            {seesPayouts(look) && <Head>Payout</Head>}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {look.lines.map((line) => (
            <Row line={line} look={look} />
          ))}
        </tbody>
      </table>
    </div>
  );
};

const seesPayouts = ({ place }: HistoryLook): boolean => may(place.role, 'payouts.read');

const shownTime = (line: HistoryLine, { filter }: HistoryLook): Date =>
  filter.basis === 'paid' && line.paidAt ? line.paidAt : line.createdAt;

function Row({ line, look }: Props & LineProps) {
  const { scope, timeZone } = look.place;
  return (
    <tr role="row">
      <Cell kind="c-when">
        <When at={shownTime(line, look)} timeZone={timeZone} />
      </Cell>
      {scope.merchantId === null && (
        <Cell kind="c-merchant">
          <Text text={line.merchantName} />
        </Cell>
      )}
      <OrderCell line={line} />
      <Cell kind="c-status">
        <StatusTag status={line.status} />
        <ExceptionMark exception={line.exception} />
        <Moved line={line} />
      </Cell>
      <Cell kind="c-amount num">
        <Amount minor={line.amount} currency={line.currency} />
      </Cell>
      <People line={line} />
      {seesPayouts(look) && <PayoutCell line={line} />}
    </tr>
  );
}

/** A payout that has not arrived yet says how far it is. */
const PayoutCell = ({ line: { payoutId, payoutStatus, ...line } }: LineProps) => (
  <Cell kind={kindOf('c-more c-payout', payoutId)} label="Payout">
    {payoutId === null || payoutStatus === null ? (
      <Text text={null} />
    ) : (
      <>
        <a href={`${pathOf(line)}/payouts/${payoutId}`}>{shortId(payoutId)}</a>
        {payoutStatus !== 'paid' && <span class="under">{PAYOUT_LOOKS[payoutStatus].word}</span>}
      </>
    )}
  </Cell>
);

interface LineProps {
  readonly line: HistoryLine;
}

const OrderCell = ({ line }: LineProps) => (
  <th scope="row" role="rowheader" class="c-order">
    <a href={`${pathOf(line)}/orders/${line.txid}`} data-row>
      <Text text={line.orderMerchantId} />
    </a>
    <span class="txid">{line.txid}</span>
  </th>
);

/** A card leaves out what there is not. */
const kindOf = (kind: string, text: string | null): string => (text ? kind : `${kind} c-none`);

const People = ({ line }: LineProps) => (
  <>
    <Cell kind={kindOf('c-more', line.provider)} label="Provider">
      <Text text={line.provider} />
    </Cell>
    <Cell kind={kindOf('c-more c-account', line.payerAccount)} label="Payer account">
      <Text text={line.payerAccount} />
    </Cell>
    <Cell kind={kindOf('c-more c-name', line.payerName)} label="Payer">
      <Text text={line.payerName} />
    </Cell>
    <Cell
      kind={kindOf('c-more c-customer', line.customerName ?? line.customerEmail)}
      label="Customer"
    >
      <Text text={line.customerName ?? line.customerEmail} />
      {line.customerName && line.customerEmail && (
        <span class="under">
          <Text text={line.customerEmail} />
        </span>
      )}
    </Cell>
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
