import { currencyExponent, isCurrency } from '../../common/currencies.js';
import { uuidOf } from '../../common/ids.js';
import { minorUnits } from '../../common/major-units.js';
import { AMOUNT_MAX, toMajorUnits } from '../../common/money.js';
import { textProblem } from '../../common/text.js';
import { addDays, dayAt, isCalendarDay, startOfDay } from '../../common/time-zone.js';
import type { OrderFilter } from '../../database/order-list/order-list.model.js';
import { ORDER_STATUSES, type OrderStatus } from '../../database/orders/order.entity.js';
import { may } from '../../people/roles.js';
import { DATE_PRESETS, type DatePreset, presetDays } from './date-presets.js';
import type { OrdersAccess } from './orders-access.js';

export { type OrderFilter, NO_FILTER } from '../../database/order-list/order-list.model.js';

/** A parameter that was left out of account, and why. */
export interface FilterProblem {
  readonly name: string;
  readonly text: string;
}

export interface ParsedFilter {
  readonly filter: OrderFilter;
  /** Where the days of the filter come from, unless they were named. */
  readonly preset: DatePreset | null;
  readonly problems: readonly FilterProblem[];
}

/** Whose days, and whose eyes, a filter is read for. */
export type FilterReader = Pick<OrdersAccess, 'timeZone' | 'role' | 'visibility'>;

export const SEARCH_MAX = 140;
const NAME_MAX = 40;
const VALUE_MAX = 255;

/** The parameters that make a filter; a page may have others beside them. */
export const FILTER_PARAMETERS = [
  'basis',
  'preset',
  'from',
  'to',
  'status',
  'currency',
  'amountFrom',
  'amountTo',
  'provider',
  'exception',
  'field',
  'payout',
  'q',
] as const;
type Name = (typeof FILTER_PARAMETERS)[number];

/**
 * Reads a filter from a link. What it cannot read it leaves out and tells of, so that an old or
 * mistyped link still opens the page.
 */
export function parseFilter(
  query: URLSearchParams,
  { timeZone, role, visibility }: FilterReader,
  now: Date,
): ParsedFilter {
  const reader = new Reader(query);
  const preset = presetOf(reader);
  const days = preset ? presetDays(preset, timeZone, now) : namedDays(reader);
  const filter: OrderFilter = {
    basis: reader.choice('basis', ['created', 'paid']) ?? 'created',
    from: days.first === null ? null : startOfDay(days.first, timeZone),
    until: days.last === null ? null : startOfDay(addDays(days.last, 1), timeZone),
    statuses: statusesOf(reader),
    ...moneyOf(reader),
    provider: reader.read('provider', 'a provider such as sandbox', (text) =>
      /^[a-z\d][a-z\d_-]{0,39}$/.test(text) ? text : undefined,
    ),
    exceptionsOnly: reader.choice('exception', ['only']) !== null,
    field: reader.read('field', 'a field and its value, such as colour=red', fieldOf),
    payout: payoutOf(reader, may(role, 'payouts.read')),
    search: reader.read('q', `at most ${SEARCH_MAX} characters`, searchOf),
    payerSight: visibility,
  };
  return { filter, preset, problems: reader.problems };
}

/**
 * The link that `parseFilter` reads as this filter; with a preset, it means other days tomorrow.
 * Parameters come in an order of their own, and none stands there in vain.
 */
export function toQuery(
  filter: OrderFilter,
  timeZone: string,
  preset: DatePreset | null = null,
): URLSearchParams {
  const { from, until, statuses, currency, field } = filter;
  const dayBefore = (moment: Date): string => dayAt(new Date(moment.getTime() - 1), timeZone);
  const major = (amount: number | null): string | null =>
    amount === null || currency === null ? null : toMajorUnits(amount, currency);
  const texts: Record<Name, string | null> = {
    basis: filter.basis === 'created' ? null : filter.basis,
    preset,
    from: preset || !from ? null : dayAt(from, timeZone),
    to: preset || !until ? null : dayBefore(until),
    status: statuses.length === 0 ? null : statuses.join(','),
    currency,
    amountFrom: major(filter.amountFrom),
    amountTo: major(filter.amountTo),
    provider: filter.provider,
    exception: filter.exceptionsOnly ? 'only' : null,
    field: field && `${escapeName(field.name)}=${field.value}`,
    payout: filter.payout,
    q: filter.search,
  };
  const query = new URLSearchParams();
  for (const name of FILTER_PARAMETERS) {
    const text = texts[name];
    if (text !== null) query.set(name, text);
  }
  return query;
}

/** Reads parameters one by one and gathers what is wrong with them. */
class Reader {
  readonly problems: FilterProblem[] = [];

  constructor(private readonly query: URLSearchParams) {}

  /** The last of the texts, as forms mean it; null when there is none, or an empty one. */
  text(name: Name): string | null {
    const text = this.query.getAll(name).at(-1) ?? '';
    // Spaces can belong to an optional field.
    return (name === 'field' ? text : text.trim()) || null;
  }

  /** Every text, those between commas too. */
  texts(name: Name): string[] {
    const texts = this.query.getAll(name).flatMap((text) => text.split(','));
    return texts.map((text) => text.trim()).filter((text) => text !== '');
  }

  /** @param expects the end of the sentence "This must be …" */
  read<T>(name: Name, expects: string, parse: (text: string) => T | undefined): T | null {
    const text = this.text(name);
    if (text === null) return null;
    const value = parse(text);
    if (value === undefined) this.refuse(name, `This must be ${expects}.`);
    return value ?? null;
  }

  choice<T extends string>(name: Name, choices: readonly T[]): T | null {
    const parse = (text: string) => choices.find((choice) => choice === text);
    return this.read(name, choices.join(' or '), parse);
  }

  refuse(name: Name, text: string): void {
    this.problems.push({ name, text });
  }
}

/** Days that are named mean more than a preset that stands beside them. */
function presetOf(reader: Reader): DatePreset | null {
  const preset = reader.choice('preset', DATE_PRESETS);
  const isNamed = reader.text('from') !== null || reader.text('to') !== null;
  if (!preset || !isNamed) return preset;
  reader.refuse('preset', 'The days in from and to are shown instead.');
  return null;
}

function namedDays(reader: Reader): { first: string | null; last: string | null } {
  const parse = (text: string) => (isCalendarDay(text) ? text : undefined);
  const first = reader.read('from', 'a day such as 2026-11-20', parse);
  const last = reader.read('to', 'a day such as 2026-11-20', parse);
  if (first === null || last === null || first <= last) return { first, last };
  reader.refuse('to', 'The last day is before the first; both are left out.');
  return { first: null, last: null };
}

/** In the order of the table; all of them together say nothing. */
function statusesOf(reader: Reader): OrderStatus[] {
  const texts = reader.texts('status');
  const known: readonly string[] = ORDER_STATUSES;
  if (texts.some((text) => !known.includes(text))) {
    reader.refuse('status', `This must be some of ${ORDER_STATUSES.join(', ')}.`);
  }
  const statuses = ORDER_STATUSES.filter((status) => texts.includes(status));
  return statuses.length === ORDER_STATUSES.length ? [] : statuses;
}

/** Amounts of different currencies are not compared. */
function moneyOf(reader: Reader): Pick<OrderFilter, 'currency' | 'amountFrom' | 'amountTo'> {
  const currency = reader.read('currency', 'a currency such as EUR', (text) => {
    const code = text.toUpperCase();
    return isCurrency(code) ? code : undefined;
  });
  if (currency === null) {
    for (const name of ['amountFrom', 'amountTo'] as const) {
      if (reader.text(name) !== null) reader.refuse(name, 'An amount needs a currency.');
    }
    return { currency, amountFrom: null, amountTo: null };
  }
  const parse = (text: string) =>
    minorUnits(text, currencyExponent(currency)!).find((amount) => amount <= AMOUNT_MAX);
  const expects = `an amount such as ${toMajorUnits(8990, currency)}`;
  const amountFrom = reader.read('amountFrom', expects, parse);
  const amountTo = reader.read('amountTo', expects, parse);
  if (amountFrom === null || amountTo === null || amountFrom <= amountTo) {
    return { currency, amountFrom, amountTo };
  }
  reader.refuse('amountTo', 'The largest amount is below the smallest; both are left out.');
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

/** A name may have the sign that ends it. */
const escapeName = (name: string): string => name.replace(/%/g, '%25').replace(/=/g, '%3D');

function payoutOf(reader: Reader, seesPayouts: boolean): string | null {
  const id = reader.read('payout', 'the id of a payout', (text) => uuidOf(text) ?? undefined);
  if (id === null || seesPayouts) return id;
  reader.refuse('payout', 'Your role does not see payouts.');
  return null;
}

const searchOf = (text: string): string | undefined =>
  textProblem(text, { min: 1, max: SEARCH_MAX }) ? undefined : text;
