import { CURRENCY_CODES, currencyExponent } from '../../common/currencies.js';
import { uuidOf } from '../../common/ids.js';
import { minorUnits } from '../../common/major-units.js';
import { isAmount } from '../../common/money.js';
import { orderMerchantIdOf } from '../../common/order-merchant-id.js';
import type { Values } from '../values.js';
import type { OrderFilter } from './order-list.model.js';

/** One way in which an order can be what somebody looks for; an index answers it. */
export interface Match {
  /** Whether the condition is one of the order `o`, or of its payment `p`. */
  readonly of: 'order' | 'payment';
  readonly condition: string;
  /** Whether many names or accounts fit, of each of which the index has the payments in a place of its own. */
  readonly isRange: boolean;
  /** A table of what the condition compares with, to be looked up row by row. */
  readonly each?: string;
}

/** What a filter looks for: the ways in which rows are found, and what each found row is asked beside. */
export interface Wanted {
  readonly ways: readonly Match[];
  /** Conditions of the order and its payment `p`, which may be NULL. */
  readonly also: readonly string[];
}

/** Shorter beginnings fit too many names: only whole names are found by them. */
const PREFIX_MIN = 3;
const LAST_CHARACTERS = 4;
/** The longest account is an e-mail address. */
const ACCOUNT_MAX = 254;

const PAYER_NAME = 'lower(p.payer_account_name)';
const PAYER_ACCOUNT = `reverse(lower(replace(p.payer_account_number, ' ', '')))`;

/** An account of which `maskAccount` shows the last characters. */
const END_SHOWN = `(p.payer_account_type = 'masked_card' OR p.payer_account_number NOT LIKE '%@%'
  AND char_length(regexp_replace(p.payer_account_number, '\\s', '', 'g')) >= 8)`;

type PayerVisibility = OrderFilter['payerSight'];

const byOrder = (condition: string): Match => ({ of: 'order', condition, isRange: false });
const byPayment = (condition: string): Match => ({ of: 'payment', condition, isRange: false });
const byRange = (condition: string): Match => ({ ...byPayment(condition), isRange: true });

const NOTHING = byOrder('false');

/** Whether the filter names what is looked for, and not only what kind of orders. */
export const looksFor = ({ search, payer, txids, orderMerchantIds }: OrderFilter): boolean =>
  search !== null || payer !== null || txids !== null || orderMerchantIds !== null;

/** One thing that is looked for: as the ways in which an index finds it, and as a condition of a row that is found already. */
interface Thing {
  ways(values: Values): readonly Match[];
  condition(values: Values): string;
}

/**
 * What the filter looks for; null when it looks for nothing. Rows are found by one thing alone, the first of
 * these: identifiers, of which few rows have one, then payers. The others are conditions of the rows that are found, so that
 * lists and texts that a caller sends are never tried each with each.
 */
export function wantedOf(filter: OrderFilter, values: Values): Wanted | null {
  const [first, ...others] = thingsOf(filter);
  if (!first) return null;
  const ways = first.ways(values);
  return {
    ways: ways.length === 0 ? [NOTHING] : ways,
    also: others.map((thing) => thing.condition(values)),
  };
}

function thingsOf(filter: OrderFilter): Thing[] {
  const { search, payer, payerSight, txids, orderMerchantIds } = filter;
  return [
    ...(txids ? [among(txids, 'uuid', 'o.txid')] : []),
    ...(orderMerchantIds ? [among(orderMerchantIds, 'text', 'o.order_merchant_id')] : []),
    ...(payer === null ? [] : [read((values) => payers(payer, payerSight, values))]),
    ...(search === null ? [] : [read((values) => readings(search, payerSight, values), search)]),
  ];
}

/** One of some, each of which is looked up by itself. */
const among = (
  wanted: readonly string[],
  type: 'uuid' | 'text',
  column: 'o.txid' | 'o.order_merchant_id',
): Thing => ({
  ways: (values) => {
    const each = `unnest(${values.add(wanted, `${type}[]`)}) w (wanted)`;
    return [{ ...byOrder(`${column} = w.wanted`), each }];
  },
  condition: (values) => `${column} = ANY (${values.add(wanted, `${type}[]`)})`,
});

export const anyOf = (conditions: readonly string[]): string =>
  conditions.length === 0 ? 'false' : `(${conditions.map((one) => `(${one})`).join(' OR ')})`;

/** A text that can be read in several ways. */
const read = (readingsIn: (values: Values) => readonly Match[], amount?: string): Thing => ({
  ways: (values) => [
    ...readingsIn(values),
    ...(amount === undefined ? [] : amounts(amount, values)),
  ],
  condition: (values) => {
    const ways = readingsIn(values).map(({ condition }) => condition);
    return anyOf([...ways, ...(amount === undefined ? [] : isAmountOf(amount, values))]);
  },
});

/** Every way to read the text of the search box but as an amount, the identifiers of the service and shop first. */
const readings = (search: string, visibility: PayerVisibility, values: Values): Match[] => [
  ...identifiers(search, values).map(byOrder),
  ...customers(search, visibility, values).map(byOrder),
  ...payers(search, visibility, values),
];

const identifiers = (search: string, values: Values): string[] => [
  ...(uuidOf(search) === null ? [] : [`o.txid = ${values.add(search, 'uuid')}`]),
  ...(orderMerchantIdOf(search) === search
    ? [`o.order_merchant_id = ${values.add(search, 'text')}`]
    : []),
];

export const isCustomer = (email: string, values: Values): string =>
  `lower(o.customer_email) = lower(${values.add(email, 'text')})`;

/** Who asks by a whole address has it already; to whom customers are hidden, it is no help either. */
const customers = (search: string, visibility: PayerVisibility, values: Values): string[] =>
  search.includes('@') && visibility !== 'none' ? [isCustomer(search, values)] : [];

/** Of a payer who is masked, only what is shown can be asked for: the end of the account. */
function payers(search: string, visibility: PayerVisibility, values: Values): Match[] {
  if (visibility === 'none') return [];
  const account = search.replace(/ /g, '');
  const isEnd = account.length === LAST_CHARACTERS;
  if (visibility === 'masked')
    return isEnd ? [byRange(`${endsWith(account, values)} AND ${END_SHOWN}`)] : [];
  const names = namedSo(search, values);
  if (account === '' || account.length > ACCOUNT_MAX) return names;
  if (isEnd) return [...names, byRange(endsWith(account, values))];
  return [...names, byPayment(`${PAYER_ACCOUNT} = reverse(lower(${values.add(account, 'text')}))`)];
}

/** The whole name apart from those that go on after it: an index has its payments in the order of time. */
function namedSo(search: string, values: Values): Match[] {
  const name = `lower(${values.add(search, 'text')})`;
  const whole = byPayment(`${PAYER_NAME} = ${name}`);
  if (search.length < PREFIX_MIN) return [whole];
  const start = `lower(${values.add(literally(search), 'text')}) || '%'`;
  return [whole, byRange(`${PAYER_NAME} ~>~ ${name} AND ${PAYER_NAME} LIKE ${start}`)];
}

const endsWith = (account: string, values: Values): string =>
  `${PAYER_ACCOUNT} LIKE reverse(lower(${values.add(literally(account), 'text')})) || '%'`;

/** For LIKE: the text itself, whatever characters it has. */
const literally = (text: string): string => text.replace(/[\\%_]/g, String.raw`\$&`);

const CODES = [...Map.groupBy(CURRENCY_CODES, (code) => currencyExponent(code)!)];

/** The same text is another number of minor units in yen than in euros: the amounts, each with its currencies. */
const amountsIn = (search: string): [amount: number, codes: readonly string[]][] =>
  CODES.flatMap(([exponent, codes]) =>
    minorUnits(search, exponent)
      .filter(isAmount)
      .map((amount): [number, readonly string[]] => [amount, codes]),
  );

function amounts(search: string, values: Values): Match[] {
  const rows = amountsIn(search).flatMap(([amount, codes]) => {
    const value = values.add(amount, 'bigint');
    return codes.map((code) => `('${code}', ${value})`);
  });
  if (rows.length === 0) return [];
  const each = `(VALUES ${rows.join(', ')}) c (currency, amount)`;
  return [{ ...byOrder('o.currency = c.currency AND o.amount = c.amount'), each }];
}

const isAmountOf = (search: string, values: Values): string[] =>
  amountsIn(search).map(
    ([amount, codes]) =>
      `o.amount = ${values.add(amount, 'bigint')} AND o.currency = ANY ('{${codes.join(',')}}')`,
  );
