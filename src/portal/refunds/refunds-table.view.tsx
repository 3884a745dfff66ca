import type { ListedRefund } from '../../database/refunds/refund-list.repository.js';
import { mayHere, type MerchantContext } from '../../people/portal-context.js';
import { CardCell, Head } from '../kit/card-table.js';
import { RefundTag } from '../kit/refund-status.js';
import { AmountValue, TextValue, TimeValue } from '../kit/values.js';
import { orderPath } from '../order/order-props.js';

interface TableProps {
  readonly context: MerchantContext;
  readonly rows: readonly ListedRefund[];
}

/** A table on wide screens, cards on narrow ones. */
export const RefundsTable = ({ context, rows }: TableProps) => (
  <div class="table-responsive" role="region" aria-label="List of refunds" tabindex={0} data-rows>
    <table class="table orders" role="table">
      <caption class="visually-hidden">Refunds, newest first</caption>
      <thead role="rowgroup">
        <tr role="row">
          <Head>Created</Head>
          <Head>Order</Head>
          <Head isNumber>Amount</Head>
          <Head>Status</Head>
          <Head>Reason</Head>
          <Head>Requested by</Head>
          <Head>Completed</Head>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((refund) => (
          <Row context={context} refund={refund} />
        ))}
      </tbody>
    </table>
  </div>
);

interface RowProps {
  readonly context: MerchantContext;
  readonly refund: ListedRefund;
}

function Row({ context, refund }: RowProps) {
  const { timeZone } = context.access;
  return (
    <tr role="row">
      <CardCell kind="c-when">
        <TimeValue at={refund.createdAt} timeZone={timeZone} />
      </CardCell>
      <th scope="row" role="rowheader" class="c-order">
        <a href={cardPath(context, refund)} data-row>
          <TextValue text={refund.orderMerchantId} />
        </a>
        <span class="txid" title={refund.id}>
          <TextValue text={refund.refundMerchantId ?? refund.id} />
        </span>
      </th>
      <CardCell kind="c-amount num">
        <AmountValue minor={refund.amount} currency={refund.currency} />
      </CardCell>
      <CardCell kind="c-status">
        <Status context={context} refund={refund} />
      </CardCell>
      <CardCell kind={kindOf('c-more c-name', refund.reason)} label="Reason">
        <TextValue text={refund.reason} />
      </CardCell>
      <CardCell kind="c-more c-name" label="Requested by">
        <Requester refund={refund} />
      </CardCell>
      <CardCell kind={kindOf('c-more', refund.completedAt)} label="Completed">
        {refund.completedAt ? (
          <TimeValue at={refund.completedAt} timeZone={timeZone} />
        ) : (
          <TextValue text={null} />
        )}
      </CardCell>
    </tr>
  );
}

/** The card of its order's page, where a refund is approved or rejected. */
const cardPath = (context: MerchantContext, { txid }: ListedRefund): string =>
  `${orderPath(context, txid)}#refunds`;

/** Cards hide empty cells. */
const kindOf = (kind: string, value: unknown): string => (value === null ? `${kind} c-none` : kind);

const Status = ({ context, refund }: RowProps) => (
  <>
    <RefundTag status={refund.status} />
    {refund.statusReason !== null && (
      <span class="under">
        <TextValue text={refund.statusReason} />
      </span>
    )}
    {refund.status === 'requested' && mayHere(context, 'refunds.manage') && (
      <a class="under" href={cardPath(context, refund)}>
        Review
        <span class="visually-hidden">
          {' '}
          the refund of order <TextValue text={refund.orderMerchantId} />
        </span>
      </a>
    )}
  </>
);

/** For refunds by API, the person who made the key; keys of the command line belong to nobody. */
const Requester = ({ refund: { origin, requestedByName } }: Pick<RowProps, 'refund'>) => (
  <>
    <TextValue text={requestedByName ?? 'API key'} />
    {origin === 'api' && requestedByName !== null && <span class="under">by API key</span>}
  </>
);
