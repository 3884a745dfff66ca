import { maskAccount } from '../common/mask.js';
import { type Mode, MODES } from '../database/merchants/api-key.entity.js';
import { PAYOUT_LINE_KINDS, type PayoutLineKind } from '../database/payouts/payout-line.entity.js';
import {
  PAYOUT_STATUSES,
  type PayoutStatus,
  type PublicPayout,
} from '../database/payouts/payout.entity.js';
import type { PayoutWithSums, ReadLine } from '../database/payouts/payout.repository.js';
import { PAGE_LIMIT } from '../http/query.js';
import { Answer, answerOf, CurrencyCode, ListOf } from './answers.js';
import {
  Count,
  Flag,
  Minor,
  Moment,
  OneOf,
  OR_NULL,
  Nested,
  Signed,
  Text,
  Uuid,
} from './fields.js';

@Answer('PayoutBankAccount', 'Where the money goes, as it was asked for.')
class PayoutBankAccountResponse {
  @Text('The name that the bank knows.') holder: string;
  @Text('Country and last four characters of the IBAN, such as `DE•••• 3000`.') iban: string;
  @Text('ISO 3166 code of the account’s country.') country: string;
}

@Answer('Payout', 'Money that is sent on to your bank account. The same in every version.')
export class PayoutResponse {
  @Uuid('The service’s own name for the payout.') id: string;
  @OneOf(MODES, 'Test payouts move no money.') mode: Mode;
  @OneOf(
    PAYOUT_STATUSES,
    '`draft` is a wish; `pending_approval`, `approved`, `exported` (into a file for the bank) and `submitted` (the bank has it) are on the way; `paid` can only become `returned`; `rejected`, `cancelled`, `failed` and `returned` are final, and the money is available again.',
  )
  status: PayoutStatus;
  @Text('Why it was rejected, failed or came back, for a person.', OR_NULL)
  statusReason: string | null;
  @Minor('What is paid out, in minor units of the currency.') amount: number;
  @CurrencyCode() currency: string;
  @Nested(PayoutBankAccountResponse) bankAccount: PayoutBankAccountResponse;
  @Flag('Whether the schedule asked for it, and no person.') scheduled: boolean;
  @Moment('When the payout was made.') createdAt: string;
  @Moment('When it changed last.') updatedAt: string;
  @Moment('When the bank had paid it.', OR_NULL) paidAt: string | null;
}

/** The payout in API answers. */
export const payoutResponse = (payout: PublicPayout): PayoutResponse =>
  answerOf(PayoutResponse, {
    id: payout.id,
    mode: payout.mode,
    status: payout.status,
    statusReason: payout.statusReason,
    amount: payout.amount,
    currency: payout.currency,
    bankAccount: answerOf(PayoutBankAccountResponse, {
      holder: payout.holder,
      iban: maskAccount(payout.iban, 'iban'),
      country: payout.iban.slice(0, 2),
    }),
    scheduled: payout.requestedBy === null,
    createdAt: payout.createdAt.toISOString(),
    updatedAt: payout.updatedAt.toISOString(),
    paidAt: payout.paidAt?.toISOString() ?? null,
  });

@Answer('PayoutLineSum', 'What the lines of a kind come to.')
class LineSumResponse {
  @Count('How many lines.') count: number;
  @Signed('What they come to, in minor units.') amount: number;
}

@Answer('PayoutLineSums', 'What the lines come to, by kind. The three sums make the amount.')
class LineSumsResponse {
  @Nested(LineSumResponse, 'What orders brought.') orders: LineSumResponse;
  @Nested(LineSumResponse, 'What was taken off for them; below 0.') fees: LineSumResponse;
  @Nested(LineSumResponse, 'What was taken back of orders and fees.') corrections: LineSumResponse;
}

@Answer('PayoutWithSums', 'A payout with what its lines come to.')
export class PayoutWithSumsResponse extends PayoutResponse {
  @Nested(LineSumsResponse) lines: LineSumsResponse;
}

const NONE = { count: 0, amount: 0 };

/** The payout with sums of its lines. */
export function payoutWithSumsResponse(payout: PayoutWithSums): PayoutWithSumsResponse {
  const sumOf = (kind: PayoutLineKind) => answerOf(LineSumResponse, payout.sums[kind] ?? NONE);
  return answerOf(PayoutWithSumsResponse, {
    ...payoutResponse(payout),
    lines: answerOf(LineSumsResponse, {
      orders: sumOf('order'),
      fees: sumOf('fee'),
      corrections: sumOf('correction'),
    }),
  });
}

@Answer('PayoutPage', 'A part of the list.')
export class PayoutPageResponse {
  @ListOf(PayoutResponse, { max: PAGE_LIMIT.max }) data: readonly PayoutResponse[];
  @Uuid('What to pass as `after` for the next page; null when this one is empty.', OR_NULL)
  next: string | null;
  @Flag('Whether there are older payouts.') hasMore: boolean;
}

@Answer('PayoutLine', 'One order, fee or correction in a payout.')
export class PayoutLineResponse {
  @Count('The line’s number in its payout.', { min: 1 }) number: number;
  @OneOf(
    PAYOUT_LINE_KINDS,
    '`order` pays an order or a part of it; `fee` takes a fee off; `correction` takes back one of both.',
  )
  kind: PayoutLineKind;
  @Signed('Minor units of the payout’s currency; below 0 for what is taken off.') amount: number;
  @Uuid('The order.') txid: string;
  @Text('Your own name for the order.') orderMerchantId: string;
  @Minor('What the order asked for, in minor units.') orderAmount: number;
  @Moment('When the order was paid.', OR_NULL) orderPaidAt: string | null;
}

export const payoutLineResponse = (line: ReadLine): PayoutLineResponse =>
  answerOf(PayoutLineResponse, {
    number: line.number,
    kind: line.kind,
    amount: line.amount,
    txid: line.txid,
    orderMerchantId: line.orderMerchantId,
    orderAmount: line.orderAmount,
    orderPaidAt: line.paidAt?.toISOString() ?? null,
  });

@Answer('PayoutLinePage', 'A part of the lines.')
export class PayoutLinePageResponse {
  @ListOf(PayoutLineResponse, { max: PAGE_LIMIT.max }) data: readonly PayoutLineResponse[];
  @Count('What to pass as `after` for the next page; null when this one is empty.', OR_NULL)
  next: number | null;
  @Flag('Whether there are more lines.') hasMore: boolean;
}
