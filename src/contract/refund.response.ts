import { bankDaysAfter } from '../common/time/bank-days.js';
import { type Mode, MODES } from '../database/merchants/api-key.entity.js';
import {
  type PublicRefund,
  REFUND_METHODS,
  REFUND_ORIGINS,
  REFUND_STATUSES,
  type RefundMethod,
  type RefundOrigin,
  type RefundStatus,
} from '../database/refunds/refund.entity.js';
import { PAGE_LIMIT } from '../http/query.js';
import { Answer, answerOf, CurrencyCode, ListOf } from './answers.js';
import { Flag, Minor, Moment, OneOf, OR_NULL, Text, Uuid } from './fields.js';

@Answer('Refund', 'Money of an order that goes back to its payer. The same in every version.')
export class RefundResponse {
  @Uuid('The service’s own name for the refund.') id: string;
  @Uuid('The order.') txid: string;
  @Text('Your own name for the order.') orderMerchantId: string;
  @Text('Your own name for the refund, as sent.', OR_NULL) refundMerchantId: string | null;
  @OneOf(MODES, 'Test refunds move no money.') mode: Mode;
  @Minor('What goes back, in minor units of the currency.') amount: number;
  @CurrencyCode() currency: string;
  @OneOf(
    REFUND_STATUSES,
    '`requested` waits for approval; `approved` is sent next; `submitted`: the provider or bank has it, or may have it; `succeeded` can only become `failed`, when the payer’s bank returns it; `failed`, `cancelled` and `rejected` are final, and the money is yours again.',
  )
  status: RefundStatus;
  @Text('Why it waits for the payer, failed, or was rejected, for a person.', OR_NULL)
  statusReason: string | null;
  @OneOf(
    REFUND_METHODS,
    'How the money goes back: by the provider that took it, or by `bank` to the account from which the payer transferred it, or that the payer enters.',
  )
  method: RefundMethod;
  @OneOf(REFUND_ORIGINS, 'Where it was requested.') origin: RefundOrigin;
  @Text('Your reason, as sent.', OR_NULL) reason: string | null;
  @Moment(
    'Until when payers usually have the money: 5 bank days after the request. Null once it has ended.',
    OR_NULL,
  )
  expectedAt: string | null;
  @Moment('When the refund was requested.') createdAt: string;
  @Moment('When it changed last.') updatedAt: string;
  @Moment('When it succeeded or ended.', OR_NULL) completedAt: string | null;
}

@Answer('RefundPayerLink', 'Where the payer of a refund enters an account.')
export class RefundPayerLinkResponse {
  @Text(
    'The page. Send it to your customer only: the first account that is entered there gets the money.',
  )
  url: string;
  @Moment('The refund is cancelled then, unless an account was entered.') expiresAt: string;
}

@Answer('RefundPage', 'A part of the list.')
export class RefundPageResponse {
  @ListOf(RefundResponse, { max: PAGE_LIMIT.max }) data: readonly RefundResponse[];
  @Uuid('What to pass as `after` for the next page; null when this one is empty.', OR_NULL)
  next: string | null;
  @Flag('Whether there are older refunds.') hasMore: boolean;
}

/** Bank days within which payers usually have a refund. */
const REFUND_DAYS = 5;

function expectedAt({ createdAt, completedAt }: PublicRefund): string | null {
  if (completedAt !== null) return null;
  const day = bankDaysAfter(createdAt.toISOString().slice(0, 10), REFUND_DAYS);
  return `${day}T23:59:59.999Z`;
}

/** The refund in API answers. */
export const refundResponse = (refund: PublicRefund): RefundResponse =>
  answerOf(RefundResponse, {
    id: refund.id,
    txid: refund.txid,
    orderMerchantId: refund.orderMerchantId,
    refundMerchantId: refund.refundMerchantId,
    mode: refund.mode,
    amount: refund.amount,
    currency: refund.currency,
    status: refund.status,
    statusReason: refund.statusReason,
    method: refund.method,
    origin: refund.origin,
    reason: refund.reason,
    expectedAt: expectedAt(refund),
    createdAt: refund.createdAt.toISOString(),
    updatedAt: refund.updatedAt.toISOString(),
    completedAt: refund.completedAt?.toISOString() ?? null,
  });
