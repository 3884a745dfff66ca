import type { SchemaObject } from '@nestjs/swagger';
import { CURRENCY_CODES } from '../../common/currencies.js';
import { PAGE_LIMIT } from '../../common/query.js';
import { PAYOUT_LINE_KINDS } from '../../database/entities/payout-line.entity.js';
import { PAYOUT_STATUSES } from '../../database/entities/payout.entity.js';
import type { BalanceResponse } from '../../payouts/dto/balance.response.js';
import type {
  LinePageResponse,
  LineResponse,
  PayoutPageResponse,
  PayoutResponse,
  PayoutWithSumsResponse,
} from '../../payouts/dto/payout.response.js';
import {
  complete,
  count,
  flag,
  id,
  minor,
  moment,
  oneOf,
  orNull,
  type Properties,
  schemaRef,
  signed,
  text,
} from './schema-parts.js';

const mode = oneOf(['test', 'live'], 'Test payouts move no money.');
const currency = oneOf(CURRENCY_CODES, 'ISO 4217 code.');

const payout = {
  id: id('The service’s own name for the payout.'),
  mode,
  status: oneOf(
    PAYOUT_STATUSES,
    '`draft` is a wish; `pending_approval`, `approved`, `exported` (into a file for the bank) and `submitted` (the bank has it) are on the way; `paid` can only become `returned`; `rejected`, `cancelled`, `failed` and `returned` are final, and the money is available again.',
  ),
  statusReason: orNull(text('Why it was rejected, failed or came back, for a person.')),
  amount: minor('What is paid out, in minor units of the currency.'),
  currency,
  bankAccount: complete('Where the money goes, as it was asked for.', {
    holder: text('The name that the bank knows.'),
    iban: text('Country and last four characters of the IBAN, such as `DE•••• 3000`.'),
    country: text('ISO 3166 code of the account’s country.'),
  }),
  scheduled: flag('Whether the schedule asked for it, and no person.'),
  createdAt: moment('When the payout was made.'),
  updatedAt: moment('When it changed last.'),
  paidAt: orNull(moment('When the bank had paid it.')),
} satisfies Properties<PayoutResponse>;

const sumOf = (description: string): SchemaObject =>
  complete(description, {
    count: count('How many lines.'),
    amount: signed('What they come to, in minor units.'),
  });

const payoutWithSums = {
  ...payout,
  lines: complete('What the lines come to, by kind. The three sums make the amount.', {
    orders: sumOf('What orders brought.'),
    fees: sumOf('What was taken off for them; below 0.'),
    corrections: sumOf('What was taken back of orders and fees.'),
  }),
} satisfies Properties<PayoutWithSumsResponse>;

const payoutPage = {
  data: { type: 'array', maxItems: PAGE_LIMIT.max, items: schemaRef('Payout') },
  next: orNull(id('What to pass as `after` for the next page; null when this one is empty.')),
  hasMore: flag('Whether there are older payouts.'),
} satisfies Properties<PayoutPageResponse>;

const line = {
  number: { ...count('The line’s number in its payout.'), minimum: 1 },
  kind: oneOf(
    PAYOUT_LINE_KINDS,
    '`order` pays an order or a part of it; `fee` takes a fee off; `correction` takes back one of both.',
  ),
  amount: signed('Minor units of the payout’s currency; below 0 for what is taken off.'),
  txid: id('The order.'),
  orderMerchantId: text('Your own name for the order.'),
  orderAmount: minor('What the order asked for, in minor units.'),
  orderPaidAt: orNull(moment('When the order was paid.')),
} satisfies Properties<LineResponse>;

const linePage = {
  data: { type: 'array', maxItems: PAGE_LIMIT.max, items: schemaRef('PayoutLine') },
  next: orNull(count('What to pass as `after` for the next page; null when this one is empty.')),
  hasMore: flag('Whether there are more lines.'),
} satisfies Properties<LinePageResponse>;

const balance = {
  mode,
  currency,
  available: signed('What can be paid out; below 0 when more was taken back than there was.'),
  payoutPending: minor('What is reserved for payouts that are on the way.'),
  unallocated: minor(
    'Money that does not make an order paid: too much, too late, twice, or a part. It is not paid out.',
  ),
} satisfies Properties<BalanceResponse>;

/** What the operations on payouts and the balance answer with. */
export const PAYOUT_SCHEMAS = {
  Payout: complete(
    'Money that is sent on to your bank account. The same in every version.',
    payout,
  ),
  PayoutWithSums: complete('A payout with what its lines come to.', payoutWithSums),
  PayoutPage: complete('A part of the list.', payoutPage),
  PayoutLine: complete('One order, fee or correction in a payout.', line),
  PayoutLinePage: complete('A part of the lines.', linePage),
  Balance: complete('What you have in one currency, in minor units.', balance),
  BalanceList: complete('What you have in each currency.', {
    data: { type: 'array', maxItems: CURRENCY_CODES.length, items: schemaRef('Balance') },
  }),
} satisfies Record<string, SchemaObject>;
