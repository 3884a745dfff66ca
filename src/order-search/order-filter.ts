import { isCurrency } from '../common/money/currencies.js';
import { uuidOf } from '../common/ids.js';
import { textProblem } from '../common/text.js';
import {
  NO_FILTER,
  type OrderFilter,
} from '../database/read-models/order-list/order-list.model.js';
import {
  EXCEPTION_FILTERS,
  ORDER_STATUSES,
  type OrderStatus,
} from '../database/orders/order.entity.js';

export const SEARCH_MAX = 140;
const NAME_MAX = 40;
const VALUE_MAX = 255;

const OR = new Intl.ListFormat('en', { type: 'disjunction' });

/** Filter parameters common to portal and API, without days and times. */
export type FilterName =
  | 'basis'
  | 'status'
  | 'currency'
  | 'amountFrom'
  | 'amountTo'
  | 'provider'
  | 'exception'
  | 'field'
  | 'payout'
  | 'q';

/** Source of a filter's texts, and receiver of its errors. */
export interface FilterTexts<Name extends string = FilterName> {
  /** Null if absent. */
  text(name: Name): string | null;
  /** Values of a list parameter. */
  texts(name: Name): readonly string[];
  /** @param why a sentence; unless it throws, the parameter is ignored */
  refuse(name: Name, why: string): void;
}

/** Format of amounts: in major units for people, in minor units for programs. */
export interface AmountSpelling {
  /** Minor units; undefined if invalid. */
  parse(text: string, currency: string): number | undefined;
  /** End of the sentence "This must be …". */
  expects(currency: string): string;
}

/** Reads all of a filter except its times, whose format differs between portal and API. */
export const readFilter = (texts: FilterTexts, amounts: AmountSpelling): OrderFilter => ({
  ...NO_FILTER,
  basis: choice(texts, 'basis', ['created', 'paid']) ?? 'created',
  statuses: statusesOf(texts),
  ...moneyOf(texts, amounts),
  provider: read(texts, 'provider', 'a provider such as sandbox', (text) =>
    /^[a-z\d][a-z\d_-]{0,39}$/.test(text) ? text : undefined,
  ),
  exception: choice(texts, 'exception', EXCEPTION_FILTERS),
  field: read(texts, 'field', 'a field and its value, such as colour=red', fieldOf),
  payout: read(texts, 'payout', 'the id of a payout', (text) => uuidOf(text) ?? undefined),
  search: read(texts, 'q', SEARCH_EXPECTS, searchOf),
});

/**
 * Value of a parameter, or null.
 * @param expects end of the sentence "This must be …"
 */
export function read<Name extends string, T>(
  texts: FilterTexts<Name>,
  name: Name,
  expects: string,
  parse: (text: string) => T | undefined,
): T | null {
  const text = texts.text(name);
  if (text === null) return null;
  const value = parse(text);
  if (value === undefined) texts.refuse(name, `This must be ${expects}.`);
  return value ?? null;
}

export const choice = <Name extends string, T extends string>(
  texts: FilterTexts<Name>,
  name: Name,
  choices: readonly T[],
): T | null =>
  read(texts, name, OR.format(choices), (text) => choices.find((each) => each === text));

export const SEARCH_EXPECTS = `1 to ${SEARCH_MAX} characters, none of them a control character`;

/** Normalised search text. */
export function searchOf(text: string): string | undefined {
  const wanted = text.trim();
  return textProblem(wanted, { min: 1, max: SEARCH_MAX }) ? undefined : wanted;
}

/** In the order of the table; selecting all is the same as none. */
function statusesOf(texts: FilterTexts): OrderStatus[] {
  const named = texts.texts('status');
  const known: readonly string[] = ORDER_STATUSES;
  if (named.some((text) => !known.includes(text))) {
    texts.refuse('status', `This must be some of ${ORDER_STATUSES.join(', ')}.`);
  }
  const statuses = ORDER_STATUSES.filter((status) => named.includes(status));
  return statuses.length === ORDER_STATUSES.length ? [] : statuses;
}

/** Amounts of different currencies cannot be compared. */
function moneyOf(
  texts: FilterTexts,
  amounts: AmountSpelling,
): Pick<OrderFilter, 'currency' | 'amountFrom' | 'amountTo'> {
  const currency = read(texts, 'currency', 'a currency such as EUR', (text) => {
    const code = text.toUpperCase();
    return isCurrency(code) ? code : undefined;
  });
  if (currency === null) {
    for (const name of ['amountFrom', 'amountTo'] as const) {
      if (texts.text(name) !== null) texts.refuse(name, 'An amount needs a currency.');
    }
    return { currency, amountFrom: null, amountTo: null };
  }
  const amountOf = (name: 'amountFrom' | 'amountTo') =>
    read(texts, name, amounts.expects(currency), (text) => amounts.parse(text, currency));
  const amountFrom = amountOf('amountFrom');
  const amountTo = amountOf('amountTo');
  if (amountFrom === null || amountTo === null || amountFrom <= amountTo) {
    return { currency, amountFrom, amountTo };
  }
  texts.refuse('amountTo', 'The largest amount is below the smallest.');
  return { currency, amountFrom: null, amountTo: null };
}

/** The first `=` ends the name. */
function fieldOf(text: string): OrderFilter['field'] | undefined {
  const end = text.indexOf('=');
  const name = text.slice(0, Math.max(end, 0)).replace(/%3D/gi, '=').replace(/%25/g, '%');
  const value = text.slice(end + 1);
  const problem =
    textProblem(name, { min: 1, max: NAME_MAX }) ?? textProblem(value, { max: VALUE_MAX });
  return problem ? undefined : { name, value };
}
