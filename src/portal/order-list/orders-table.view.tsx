import { render } from 'preact-render-to-string';
import { CompiledMarkup } from '../../common/markup.js';
import { pathOf } from '../../people/portal-context.js';
import { may } from '../../people/roles.js';
import { providerName } from '../kit/order-text.js';
import { CardCell, Head } from '../kit/card-table.js';
import { PAYOUT_BADGES } from '../kit/payout-status.js';
import { shortId } from '../kit/payout-text.js';
import { ExceptionMark, StatusTag, badgeOf } from '../kit/status.js';
import { AmountText, amountText, TextValue, TimeText, timeTexts } from '../kit/values.js';
import type { OrderLine } from './order-line.js';
import type { ListLook } from './order-list-look.js';
import type { OrdersPage } from './order-list.service.js';

const COLUMNS = ['Provider', 'Payer account', 'Payer', 'Customer'] as const;

interface TableProps {
  readonly list: ListLook;
  /** Markup of the rows, or its placeholder. */
  readonly rows: string;
}

/** A table on wide screens, cards on narrow ones. */
export const OrdersTable = ({ list, rows }: TableProps) => {
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
        <tbody role="rowgroup" dangerouslySetInnerHTML={{ __html: rows }} />
      </table>
    </div>
  );
};

const seesPayouts = ({ access }: Pick<OrdersPage, 'access'>): boolean =>
  may(access.role, 'payouts.read');

/** Cached rows: statuses × exceptions × present fields; about 1 kB each. */
const ROWS_MAX = 1_000;

const rows = new CompiledMarkup<RowLook, RowTexts>(
  (look, texts) => render(<Row {...look} texts={texts} />),
  ROWS_MAX,
);

interface RowLook extends Pick<OrderLine, 'status' | 'exception'> {
  /** Undefined without permission to read payouts. */
  readonly payoutStatus: OrderLine['payoutStatus'] | undefined;
  readonly hasMerchant: boolean;
}

type RowTexts = ReturnType<typeof textsOf>;

interface RowProps extends RowLook {
  readonly texts: RowTexts;
}

/** Markup of the rows. */
export function rowsOf(list: OrdersPage): string {
  const hasMerchant = list.access.scope.merchantId === null;
  const hasPayout = seesPayouts(list);
  const row = (line: OrderLine): string => {
    const { status, exception } = line;
    const payoutStatus = hasPayout ? line.payoutStatus : undefined;
    return rows.fill({ status, exception, payoutStatus, hasMerchant }, textsOf(line, list));
  };
  return list.lines.map(row).join('');
}

function textsOf(line: OrderLine, { access, filter }: OrdersPage) {
  const { currency, amount, amountReceived, amountRefunded, payoutId } = line;
  const at = filter.basis === 'paid' && line.paidAt ? line.paidAt : line.createdAt;
  const path = pathOf(line);
  // The received amount differs from the order amount.
  const isOther = amountReceived !== 0 && amountReceived !== amount;
  return {
    ...timeTexts({ at, timeZone: access.timeZone }),
    href: `${path}/orders/${line.txid}`,
    txid: line.txid,
    orderMerchantId: line.orderMerchantId,
    merchantName: line.merchantName,
    amount: amountText(amount, currency),
    currency,
    received: isOther ? amountText(amountReceived, currency) : null,
    refunded: amountRefunded > 0 ? amountText(amountRefunded, currency) : null,
    provider: line.provider,
    payerAccount: line.payerAccount,
    payerName: line.payerName,
    customerName: line.customerName,
    customerEmail: line.customerEmail,
    payoutHref: payoutId && `${path}/payouts/${payoutId}`,
    payout: payoutId && shortId(payoutId),
  };
}

function Row({ status, exception, payoutStatus, hasMerchant, texts }: RowProps) {
  const { received, refunded } = texts;
  return (
    <tr role="row">
      <CardCell kind="c-when">
        <TimeText {...texts} />
      </CardCell>
      {hasMerchant && (
        <CardCell kind="c-merchant">
          <TextValue text={texts.merchantName} />
        </CardCell>
      )}
      <th scope="row" role="rowheader" class="c-order">
        <a href={texts.href} data-row>
          <TextValue text={texts.orderMerchantId} />
        </a>
        <span class="txid">{texts.txid}</span>
      </th>
      <CardCell kind="c-status">
        <StatusTag status={status} />
        <ExceptionMark exception={exception} />
        {received && <span class="under">{received} received</span>}
        {refunded && <span class="under">{refunded} refunded</span>}
      </CardCell>
      <CardCell kind="c-amount num">
        <AmountText {...texts} />
      </CardCell>
      <People texts={texts} />
      {payoutStatus !== undefined && <PayoutCell texts={texts} payoutStatus={payoutStatus} />}
    </tr>
  );
}

interface PayoutProps {
  readonly texts: RowTexts;
  readonly payoutStatus: OrderLine['payoutStatus'];
}

/** Shows the status of payouts that are not paid yet. */
const PayoutCell = ({ texts: { payout, payoutHref }, payoutStatus }: PayoutProps) => (
  <CardCell kind={kindOf('c-more c-payout', payout)} label="Payout">
    {payoutHref === null || payoutStatus === null ? (
      <TextValue text={null} />
    ) : (
      <>
        <a href={payoutHref}>{payout}</a>
        {payoutStatus !== 'paid' && (
          <span class="under">{badgeOf(PAYOUT_BADGES, payoutStatus).label}</span>
        )}
      </>
    )}
  </CardCell>
);

/** Cards hide empty cells. */
const kindOf = (kind: string, text: string | null): string => (text ? kind : `${kind} c-none`);

const People = ({ texts: line }: { readonly texts: RowTexts }) => (
  <>
    <CardCell kind={kindOf('c-more', line.provider)} label="Provider">
      <TextValue text={line.provider && providerName(line.provider)} />
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
