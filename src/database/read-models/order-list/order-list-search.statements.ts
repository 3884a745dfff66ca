import { CURRENCY_CODES, currencyExponent } from '../../../common/money/currencies.js';
import { uuidOf } from '../../../common/ids.js';
import { minorUnits } from '../../../common/money/major-units.js';
import { isAmount } from '../../../common/money/money.js';
import { orderMerchantIdOf } from '../../../common/order-merchant-id.js';
import type { Values } from '../../values.js';
import type { OrderFilter } from './order-list.model.js';

/** One alternative by which an order matches a search; each uses an index. */
export interface Match {
  /** Whether the condition is on the order `o` or its payment `p`. */
  readonly of: 'order' | 'payment';
  readonly condition: string;
  /** Whether it matches a range of names or accounts, whose payments the index does not have in time order. */
  readonly isRange: boolean;
  /** A relation with the values to compare; they are looked up row by row. */
  readonly each?: string;
}

/** The search of a filter: alternatives to find rows, and further conditions on found rows. */
export interface Wanted {
  readonly ways: readonly Match[];
  /** Conditions on the order and its payment `p`, which may be NULL. */
  readonly also: readonly string[];
}

/** Minimum length of a name prefix; shorter texts match whole names only. */
const PREFIX_MIN = 3;
const LAST_CHARACTERS = 4;
/** Maximum length of an account: an e-mail address. */
const ACCOUNT_MAX = 254;

const PAYER_NAME = 'lower(p.payer_account_name)';
const PAYER_ACCOUNT = `reverse(lower(replace(p.payer_account_number, ' ', '')))`;

/** Whether `maskAccount` shows the last characters of the account. */
const END_SHOWN = `(p.payer_account_type = 'masked_card' OR p.payer_account_number NOT LIKE '%@%'
  AND char_length(regexp_replace(p.payer_account_number, '\\s', '', 'g')) >= 8)`;

type PayerVisibility = OrderFilter['payerSight'];

const byOrder = (condition: string): Match => ({ of: 'order', condition, isRange: false });
const byPayment = (condition: string): Match => ({ of: 'payment', condition, isRange: false });
const byRange = (condition: string): Match => ({ ...byPayment(condition), isRange: true });

const NOTHING = byOrder('false');

/** Whether the filter searches for specific orders or payers. */
export const looksFor = ({ search, payer, txids, orderMerchantIds }: OrderFilter): boolean =>
  search !== null || payer !== null || txids !== null || orderMerchantIds !== null;

/** A search criterion: as alternatives that use an index, and as a condition on rows that are already found. */
interface Thing {
  ways(values: Values): readonly Match[];
  condition(values: Values): string;
}

/**
 * The search of a filter; null without one. Only the first criterion finds rows, identifiers before payers, because
 * they match few rows. The others are conditions on the found rows, so that lists and texts of a request are never
 * combined.
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

/** Matches any of a list; each value is looked up separately. */
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

/** A text with several possible meanings. */
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

/** All meanings of a search text except an amount, identifiers first. */
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

/** A search by the whole address reveals nothing new; excluded for users who may not see customers. */
const customers = (search: string, visibility: PayerVisibility, values: Values): string[] =>
  search.includes('@') && visibility !== 'none' ? [isCustomer(search, values)] : [];

/** For masked payers, only the visible end of the account can be searched. */
function payers(search: string, visibility: PayerVisibility, values: Values): Match[] {
  if (visibility === 'none') return [];
  const account = search.replace(/ /g, '');
  const isEnd = account.length === LAST_CHARACTERS;
  if (visibility === 'masked')
    return isEnd ? [byRange(`${endsWith(account, values)} AND ${END_SHOWN}`)] : [];
  const names = byPayerName(search, values);
  if (account === '' || account.length > ACCOUNT_MAX) return names;
  if (isEnd) return [...names, byRange(endsWith(account, values))];
  return [...names, byPayment(`${PAYER_ACCOUNT} = reverse(lower(${values.add(account, 'text')}))`)];
}

/** The exact name separately from longer names: its payments are in time order in the index. */
function byPayerName(search: string, values: Values): Match[] {
  const name = `lower(${values.add(search, 'text')})`;
  const whole = byPayment(`${PAYER_NAME} = ${name}`);
  if (search.length < PREFIX_MIN) return [whole];
  const start = `lower(${values.add(literally(search), 'text')}) || '%'`;
  return [whole, byRange(`${PAYER_NAME} ~>~ ${name} AND ${PAYER_NAME} LIKE ${start}`)];
}

const endsWith = (account: string, values: Values): string =>
  `${PAYER_ACCOUNT} LIKE reverse(lower(${values.add(literally(account), 'text')})) || '%'`;

/** Escapes a text for LIKE. */
const literally = (text: string): string => text.replace(/[\\%_]/g, String.raw`\$&`);

const CODES = [...Map.groupBy(CURRENCY_CODES, (code) => currencyExponent(code)!)];

/** Amounts in minor units with their currencies: the same text differs between yen and euros. */
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
