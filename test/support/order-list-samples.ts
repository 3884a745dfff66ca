import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { currencyExponent } from '../../src/common/money/currencies.js';
import { randomToken, uuidv7 } from '../../src/common/ids.js';
import { toMajorUnits } from '../../src/common/money/money.js';
import type { Mode } from '../../src/database/merchants/api-key.entity.js';
import type { OrderFilter } from '../../src/database/read-models/order-list/order-list.statements.js';
import {
  EXCEPTION_FILTERS,
  ORDER_STATUSES,
  type OrderStatus,
} from '../../src/database/orders/order.entity.js';
import type { TestApp } from './app.js';
import { select } from './facts.js';
import { insert, insertLines, PAYOUTS_EACH, type SamplePayout } from './order-list-payouts.js';

/** Orders and filters of a few values each, so that many meet. */

export const START = Date.parse('2026-01-01T00:00:00Z');
const MINUTE = 60_000;

/** An order as the list sees it. */
export interface Sample {
  readonly merchantId: string;
  readonly mode: Mode;
  readonly txid: string;
  readonly orderMerchantId: string;
  readonly status: OrderStatus;
  readonly exception: string;
  readonly amount: number;
  readonly currency: string;
  readonly amountReceived: number;
  readonly amountRefunded: number;
  readonly customerEmail: string | null;
  readonly fields: Readonly<Record<string, string>>;
  readonly createdAt: Date;
  readonly paidAt: Date | null;
  readonly payment: SamplePayment | null;
  /** Another attempt, which the order does not show. */
  readonly hidden: SamplePayment | null;
  /** Null until it is paid. */
  readonly fee: number | null;
  /** Those that have a line for it. */
  readonly payouts: readonly SamplePayout[];
}

interface SamplePayment {
  readonly id: string;
  readonly provider: string;
  readonly payerName: string | null;
  readonly payerAccount: string | null;
}

export const NAMES = ['Erika Mustermann', 'Erik Mann', 'ÉMILE Öz', 'Li', '100% Shop_1', 'erika'];
export const ACCOUNTS = [
  'DE89 3704 0044 0532 0130 00',
  'DE12345678901234563000',
  '**** 4242',
  'a_b%',
  '42',
  '1234567',
  'paula@wallet.example',
];
const EMAILS = ['Erika@Mail.example', 'erika@mail.example', 'li@mail.example'];
const PROVIDERS = ['sandbox', 'bank-transfer'];
const FIELDS = [
  { colour: 'red' },
  { colour: 'blue', size: 'XL' },
  { size: 'red' },
  { 'a=b': '' },
  {},
];
const CURRENCIES = ['EUR', 'JPY', 'KWD'];
const AMOUNTS = [8990, 89900, 1249, 12490, 124900, 1249000];
const EXCEPTIONS = ['none', 'none', 'none', 'overpaid', 'duplicate_payment'];

const payment = fc.record({
  provider: fc.constantFrom(...PROVIDERS),
  payerName: fc.option(fc.constantFrom(...NAMES)),
  payerAccount: fc.option(fc.constantFrom(...ACCOUNTS)),
});

/** What an order is, before it has ids and times. */
const draft = fc.record({
  mode: fc.constantFrom<Mode>('test', 'test', 'test', 'live'),
  minute: fc.nat({ max: 40 }),
  paidAfter: fc.nat({ max: 60 }),
  status: fc.constantFrom(...ORDER_STATUSES, 'paid' as const, 'paid' as const),
  exception: fc.constantFrom(...EXCEPTIONS),
  amount: fc.constantFrom(...AMOUNTS),
  currency: fc.constantFrom(...CURRENCIES),
  isRefunded: fc.boolean(),
  customerEmail: fc.option(fc.constantFrom(...EMAILS)),
  fields: fc.constantFrom<Record<string, string>>(...(FIELDS as Record<string, string>[])),
  payment: fc.option(payment),
  hidden: fc.option(payment),
  fee: fc.constantFrom(0, 31),
  payouts: fc.subarray(Array.from({ length: PAYOUTS_EACH }, (_, place) => place)),
});

let made = 0;

type Draft = typeof draft extends fc.Arbitrary<infer T> ? T : never;

/** Only what a payer paid is paid out. */
function sampleOf(merchantId: string, drawn: Draft, all: readonly SamplePayout[]): Sample {
  const { minute, paidAfter, isRefunded, payment, hidden, ...rest } = drawn;
  const createdAt = new Date(START + minute * MINUTE);
  const isPaid = rest.status === 'paid';
  const mine = all.filter((payout) => payout.merchantId === merchantId);
  return again({
    ...rest,
    merchantId,
    txid: '',
    orderMerchantId: '',
    amountReceived: isPaid ? rest.amount : 0,
    amountRefunded: isPaid && isRefunded ? 1 : 0,
    createdAt,
    paidAt: isPaid ? new Date(createdAt.getTime() + paidAfter * MINUTE) : null,
    payment: payment && { ...payment, id: '' },
    hidden: hidden && { ...hidden, id: '' },
    fee: isPaid ? rest.fee : null,
    payouts:
      isPaid && payment && rest.mode === 'test' ? rest.payouts.flatMap((n) => mine[n] ?? []) : [],
  });
}

/** So many orders of the merchants; several come in the same millisecond. */
export const samplesOf = (
  merchantIds: readonly string[],
  { min, max }: { readonly min: number; readonly max: number },
  payouts: readonly SamplePayout[] = [],
): fc.Arbitrary<Sample[]> =>
  fc
    .array(fc.tuple(fc.constantFrom(...merchantIds), draft), {
      minLength: min,
      maxLength: max,
      size: 'max',
    })
    .map((all) => all.map(([merchantId, each]) => sampleOf(merchantId, each, payouts)));

/** The same order once more, with ids of its own. */
export function again(sample: Sample, changes: Partial<Sample> = {}): Sample {
  const changed = { ...sample, ...changes };
  const ms = changed.createdAt.getTime();
  const withId = (payment: SamplePayment | null): SamplePayment | null =>
    payment && { ...payment, id: uuidv7(ms) };
  return {
    ...changed,
    txid: uuidv7(ms),
    orderMerchantId: `A-${++made}`,
    payment: withId(changed.payment),
    hidden: withId(changed.hidden),
  };
}

const moment = fc.nat({ max: 110 }).map((minute) => new Date(START + (minute - 5) * MINUTE));
const amount = fc.option(fc.constantFrom(...AMOUNTS, 0, 8991, 1248));

const search = fc.oneof(
  fc.constantFrom(...NAMES, ...NAMES.map((name) => name.slice(0, 3).toLowerCase()), 'er', 'LI'),
  fc.constantFrom(...ACCOUNTS, '3000', '4242', 'de89370400440532013000', 'DE89', '_', '%', 'A%'),
  fc.constantFrom(...EMAILS, 'ERIKA@MAIL.EXAMPLE', 'nobody@mail.example', 'A-1', 'x\\', "'"),
  fc
    .tuple(fc.constantFrom(...AMOUNTS), fc.constantFrom(...CURRENCIES), fc.constantFrom('.', ','))
    .map(([minor, currency, sign]) => toMajorUnits(minor, currency).replace('.', sign)),
  fc.constantFrom('1.249,00', '1249', '1.249', '89', '0'),
);

/** Filters, of which each part is left out as often as not. */
export const anyFilter = (payouts: readonly SamplePayout[]): fc.Arbitrary<OrderFilter> =>
  fc
    .record({
      basis: fc.constantFrom<OrderFilter['basis']>('created', 'created', 'paid'),
      from: rarely(moment),
      until: rarely(moment),
      statuses: fc.oneof(fc.constant([]), fc.subarray([...ORDER_STATUSES])),
      money: rarely(
        fc.record({ currency: fc.constantFrom(...CURRENCIES, 'CHF'), a: amount, b: amount }),
      ),
      provider: rarely(fc.constantFrom(...PROVIDERS, 'none')),
      exception: rarely(fc.constantFrom(...EXCEPTION_FILTERS)),
      field: rarely(
        fc.constantFrom(
          { name: 'colour', value: 'red' },
          { name: 'size', value: 'XL' },
          { name: 'a=b', value: '' },
          { name: 'size', value: 'blue' },
        ),
      ),
      payout: rarely(fc.constantFrom(...payouts.map(({ id }) => id))),
      search: rarely(search),
      payer: seldom(fc.constantFrom(...NAMES, 'eri', ...ACCOUNTS, '3000', '100%', 'A-1')),
      customerEmail: seldom(fc.constantFrom(...EMAILS, 'LI@mail.example', 'nobody@mail.example')),
      orderMerchantIds: seldom(fc.uniqueArray(orderMerchantId, { minLength: 1, maxLength: 100 })),
      txids: fc.constant(null),
      payerSight: fc.constantFrom('full', 'full', 'masked', 'none'),
    })
    .map(({ money, ...filter }) => ({
      ...filter,
      currency: money?.currency ?? null,
      amountFrom: money?.a ?? null,
      amountTo: money?.b ?? null,
    }));

/** The first that are made in a run are found by it. */
const orderMerchantId = fc.integer({ min: 1, max: 400 }).map((n) => `A-${n}`);

/** Something in one case of six. */
function seldom<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.oneof({ arbitrary, weight: 1 }, { arbitrary: fc.constant(null), weight: 5 });
}

/** Something in two cases of five. */
function rarely<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.oneof({ arbitrary, weight: 2 }, { arbitrary: fc.constant(null), weight: 3 });
}

/** A search for each identifier of an order. */
export const identifiersOf = (sample: Sample): string[] =>
  [
    sample.txid,
    sample.txid.toUpperCase(),
    sample.orderMerchantId,
    sample.customerEmail,
    sample.payment?.payerName,
    sample.payment?.payerAccount,
    toMajorUnits(sample.amount, sample.currency),
  ].filter((text): text is string => typeof text === 'string');

/** Writes the samples as orders and payments. */
export async function insertSamples(app: TestApp, samples: readonly Sample[]): Promise<void> {
  await insert(app, 'orders', samples.map(orderRow));
  const payments = samples.flatMap((sample) =>
    [sample.payment, sample.hidden].flatMap((payment) =>
      payment ? [paymentRow(sample, payment)] : [],
    ),
  );
  await insert(app, 'payments', payments);
  await insertLines(app, samples);
  // Without statistics, some joins of filters are planned as nested loops over all rows.
  await select(app, 'ANALYZE orders, order_fields, payments, payout_lines', []);
}

const orderRow = (sample: Sample): object => ({
  merchant_id: sample.merchantId,
  txid: sample.txid,
  mode: sample.mode,
  order_merchant_id: sample.orderMerchantId,
  holds_merchant_id: true,
  content_hash: `\\x${createHash('sha256').update(sample.txid).digest('hex')}`,
  status: sample.status,
  status_reason: sample.status === 'paid' ? 'exact' : null,
  exception: sample.exception,
  amount: sample.amount,
  currency: sample.currency,
  amount_received: sample.amountReceived,
  amount_refunded: sample.amountRefunded,
  amount_charged_back: 0,
  amount_refund_pending: 0,
  fee: sample.fee,
  customer_email: sample.customerEmail,
  optional_fields: sample.fields,
  page_token: randomToken(),
  attempts: 1,
  payment_id: sample.payment?.id ?? null,
  version: 1,
  created_at: sample.createdAt,
  updated_at: sample.createdAt,
  expires_at: new Date(sample.createdAt.getTime() + 120 * MINUTE),
  paid_at: sample.paidAt,
  erased_as_unpaid: false,
});

const paymentRow = (sample: Sample, payment: SamplePayment): object => ({
  merchant_id: sample.merchantId,
  id: payment.id,
  txid: sample.txid,
  provider: payment.provider,
  method: payment.provider,
  status: 'failed',
  amount: sample.amount,
  currency: sample.currency,
  completes_order: false,
  provider_reference: payment.id,
  payer_account_number: payment.payerAccount,
  payer_account_name: payment.payerName,
  polls: 0,
  created_at: sample.createdAt,
  completed_at: sample.createdAt,
});

export const exponentOf = (sample: Sample): number => currencyExponent(sample.currency)!;
