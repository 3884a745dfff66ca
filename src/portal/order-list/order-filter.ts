import { currencyExponent } from '../../common/money/currencies.js';
import { minorUnits } from '../../common/money/major-units.js';
import { AMOUNT_MAX, toMajorUnits } from '../../common/money/money.js';
import { addDays, dayAt, isCalendarDay, startOfDay } from '../../common/time/time-zone.js';
import type { OrderFilter } from '../../database/read-models/order-list/order-list.model.js';
import {
  type AmountSpelling,
  choice,
  type FilterTexts,
  read,
  readFilter,
} from '../../order-search/order-filter.js';
import { may } from '../../people/roles.js';
import { DATE_PRESETS, type DatePreset, presetDays } from './date-presets.js';
import type { OrdersAccess } from './orders-access.js';

export {
  type OrderFilter,
  NO_FILTER,
} from '../../database/read-models/order-list/order-list.model.js';
export { SEARCH_MAX } from '../../order-search/order-filter.js';

/** An ignored parameter and the reason. */
export interface FilterProblem {
  readonly name: string;
  readonly text: string;
}

export interface ParsedFilter {
  readonly filter: OrderFilter;
  /** Preset of the days; null = explicit days. */
  readonly preset: DatePreset | null;
  readonly problems: readonly FilterProblem[];
}

/** Time zone and permissions of the reader. */
export type FilterReader = Pick<OrdersAccess, 'timeZone' | 'role' | 'visibility'>;

/** Query parameters of the filter. */
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
 * Parses a filter from a URL. Ignores and reports invalid parameters, so that an old or mistyped link still opens the
 * page.
 */
export function parseFilter(
  query: URLSearchParams,
  { timeZone, role, visibility }: FilterReader,
  now: Date,
): ParsedFilter {
  const reader = new QueryTexts<Name>(query);
  const preset = presetOf(reader);
  const days = preset ? presetDays(preset, timeZone, now) : namedDays(reader);
  const asked = readFilter(reader, IN_MAJOR_UNITS);
  const filter: OrderFilter = {
    ...asked,
    ...periodOf(days, timeZone),
    payout: seenPayout(reader, asked.payout, may(role, 'payouts.read')),
    payerSight: visibility,
  };
  return { filter, preset, problems: reader.problems };
}

const IN_MAJOR_UNITS: AmountSpelling = {
  parse: (text, currency) =>
    minorUnits(text, currencyExponent(currency)!).find((amount) => amount <= AMOUNT_MAX),
  expects: (currency) => `an amount such as ${toMajorUnits(8990, currency)}`,
};

/**
 * Serializes a filter for `parseFilter`. With a preset, the link is relative to the current day. Parameters have a
 * fixed order, and defaults are omitted.
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
    exception: filter.exception,
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

/** Reads parameters and collects their problems. */
export class QueryTexts<N extends string> implements FilterTexts<N> {
  readonly problems: FilterProblem[] = [];

  constructor(private readonly query: URLSearchParams) {}

  /** Last value of a parameter; null if missing or empty. */
  text(name: N): string | null {
    const text = this.query.getAll(name).at(-1) ?? '';
    // Spaces can belong to an optional field.
    return (name === 'field' ? text : text.trim()) || null;
  }

  /** All values, including comma-separated ones. */
  texts(name: N): string[] {
    const texts = this.query.getAll(name).flatMap((text) => text.split(','));
    return texts.map((text) => text.trim()).filter((text) => text !== '');
  }

  refuse(name: N, text: string): void {
    this.problems.push({ name, text });
  }
}

/** Explicit days take precedence over a preset. */
function presetOf(reader: QueryTexts<Name>): DatePreset | null {
  const preset = choice(reader, 'preset', DATE_PRESETS);
  const isNamed = reader.text('from') !== null || reader.text('to') !== null;
  if (!preset || !isNamed) return preset;
  reader.refuse('preset', 'Ignored because from or to is set.');
  return null;
}

/** Calendar days of a filter, both included; null = open. */
export interface NamedDays {
  readonly first: string | null;
  readonly last: string | null;
}

export function namedDays(reader: FilterTexts<'from' | 'to'>): NamedDays {
  const parse = (text: string) => (isCalendarDay(text) ? text : undefined);
  const first = read(reader, 'from', 'a day such as 2026-11-20', parse);
  const last = read(reader, 'to', 'a day such as 2026-11-20', parse);
  if (first === null || last === null || first <= last) return { first, last };
  reader.refuse('to', 'The last day is before the first day; both are ignored.');
  return { first: null, last: null };
}

/** From the first moment of the days until the first one after them. */
export const periodOf = ({ first, last }: NamedDays, timeZone: string) => ({
  from: first === null ? null : startOfDay(first, timeZone),
  until: last === null ? null : startOfDay(addDays(last, 1), timeZone),
});

/** Names may contain the separator. */
const escapeName = (name: string): string => name.replace(/%/g, '%25').replace(/=/g, '%3D');

function seenPayout(
  reader: QueryTexts<Name>,
  id: string | null,
  seesPayouts: boolean,
): string | null {
  if (id === null || seesPayouts) return id;
  reader.refuse('payout', 'Your role does not see payouts.');
  return null;
}
