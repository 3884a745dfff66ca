import { printedIban } from '../../common/money/iban.js';
import type { Refund, RefundStatus } from '../../database/refunds/refund.entity.js';
import { mayHere } from '../../people/portal-context.js';
import { Card, Code, Detail, DetailList } from '../kit/card.js';
import { Copyable } from '../kit/components.js';
import { PostForm } from '../kit/form-components.js';
import { RefundTag } from '../kit/refund-status.js';
import { AmountValue, TextValue, TimeValue } from '../kit/values.js';
import { orderPath, type OrderProps } from './order-props.js';

/** Refunds, newest first; nothing without any. */
export const RefundsCard = (props: OrderProps) =>
  props.page.refunds.length === 0 ? null : (
    <Card id="refunds" title="Refunds">
      <ol class="rows">
        {props.page.refunds.map((refund) => (
          <RefundRow {...props} refund={refund} />
        ))}
      </ol>
    </Card>
  );

interface RowProps extends OrderProps {
  readonly refund: Refund;
}

const RefundRow = ({ context, page, refund }: RowProps) => (
  <li>
    <h3 class="row-title">
      <AmountValue minor={refund.amount} currency={refund.currency} />{' '}
      <RefundTag status={refund.status} />
    </h3>
    <DetailList>
      <Detail name="Refund ID">
        <Code text={refund.id} />
      </Detail>
      {refund.refundMerchantId !== null && (
        <Detail name="Your refund number">
          <Code text={refund.refundMerchantId} />
        </Detail>
      )}
      {refund.reason !== null && (
        <Detail name="Reason">
          <TextValue text={refund.reason} />
        </Detail>
      )}
      {refund.statusReason !== null && (
        <Detail name={REASON_NAMES[refund.status] ?? 'Failed because'}>
          <TextValue text={refund.statusReason} />
        </Detail>
      )}
      <Detail name="Requested">
        <TimeValue at={refund.createdAt} timeZone={context.access.timeZone} />
      </Detail>
      <EnteredAccount context={context} page={page} refund={refund} />
      {refund.completedAt && (
        <Detail name="Ended">
          <TimeValue at={refund.completedAt} timeZone={context.access.timeZone} />
        </Detail>
      )}
    </DetailList>
    <AccountTask context={context} page={page} refund={refund} />
    {canDecide(refund) && mayHere(context, 'refunds.manage') && (
      <Decisions context={context} page={page} refund={refund} />
    )}
  </li>
);

const REASON_NAMES: Readonly<Partial<Record<RefundStatus, string>>> = {
  requested: 'Status',
  rejected: 'Rejected because',
  cancelled: 'Cancelled because',
};

/** The account that a payer whom the bank did not name has entered. */
function EnteredAccount({ context, page, refund }: RowProps) {
  const payee = page.payees.get(refund.id);
  if (!payee || 'url' in payee) return null;
  const { timeZone } = context.access;
  return (
    <>
      <Detail name="Account that the payer entered">
        <TextValue text={payee.holder} />, <Code text={printedIban(payee.iban!)} />
      </Detail>
      <Detail name="Entered">
        <TimeValue at={payee.enteredAt!} timeZone={timeZone} />
      </Detail>
      {payee.confirmedAt && (
        <Detail name="Confirmed">
          <TimeValue at={payee.confirmedAt} timeZone={timeZone} />
        </Detail>
      )}
    </>
  );
}

/** What is to do about the account of a payer whom the bank did not name. */
function AccountTask({ context, page, refund }: RowProps) {
  const payee = page.payees.get(refund.id);
  if (!payee) return null;
  if ('url' in payee)
    return (
      <div class="mt-3 mb-3">
        <p>
          The bank did not name the account of the payer. Send this link to your customer only: the
          first account that is entered there gets the money. It works until{' '}
          <TimeValue at={payee.expiresAt} timeZone={context.access.timeZone} />.
        </p>
        <Copyable name="Link for the payer" text={payee.url} />
      </div>
    );
  if (refund.mode === 'test' || payee.confirmedAt) return null;
  if (!mayHere(context, 'bank-accounts.confirm'))
    return (
      <p class="mt-3">
        An owner confirms the account. An operator can approve the refund one day later.
      </p>
    );
  const path = `${orderPath(context, page.order.txid)}/refunds/${refund.id}/confirm-account`;
  return (
    <div class="mt-3 mb-2">
      <p>
        Confirm the account if it is your customer’s. An operator can approve the refund one day
        later.
      </p>
      <PostForm csrf={context.csrf} action={path}>
        <button class="btn btn-primary">Confirm the account</button>
      </PostForm>
    </div>
  );
}

/** A refund by bank can be cancelled until it is in a bank file. */
const canDecide = ({ status, method }: Refund): boolean =>
  status === 'requested' || (status === 'approved' && method === 'bank');

/** The requester can only cancel: another person approves. Operators approve refunds by bank. */
function Decisions({ context, page, refund }: RowProps) {
  const isOwn = refund.method === 'bank' || refund.requestedBy === context.session.userId;
  const path = `${orderPath(context, page.order.txid)}/refunds/${refund.id}`;
  return (
    <div class="d-flex flex-wrap gap-2 mt-2">
      {!isOwn && (
        <PostForm csrf={context.csrf} action={`${path}/approve`}>
          <button class="btn btn-primary">Approve the refund</button>
        </PostForm>
      )}
      {!isOwn && (
        <PostForm csrf={context.csrf} action={`${path}/reject`}>
          <button class="btn">Reject</button>
        </PostForm>
      )}
      {isOwn && (
        <PostForm csrf={context.csrf} action={`${path}/cancel`}>
          <button class="btn">Cancel the refund</button>
        </PostForm>
      )}
    </div>
  );
}
