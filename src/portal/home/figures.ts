import type { DayTotals } from '../../database/read-models/home.repository.js';

/** Orders created on one day in one currency. */
export type DayFigures = Omit<DayTotals, 'currency' | 'day'> & {
  /** For example `2026-11-20`. */
  readonly day: string;
};

/** Figures in one currency: amounts in different currencies are never added. */
export interface Figures {
  /** Null if there were no orders. */
  readonly currency: string | null;
  /** Currencies with orders, most used first. */
  readonly currencies: readonly string[];
  /** All days, oldest first. */
  readonly days: readonly DayFigures[];
  readonly total: Omit<DayFigures, 'day'>;
}

const NONE: Omit<DayFigures, 'day'> = {
  created: 0,
  started: 0,
  paid: 0,
  expired: 0,
  failed: 0,
  cancelled: 0,
  volume: 0n,
};

/** @param wanted chosen currency; without orders in it, the most used one is shown */
export function figuresOf(
  dayTotals: readonly DayTotals[],
  days: readonly string[],
  wanted: string | null,
): Figures {
  const currencies = mostUsed(dayTotals);
  const currency = currencies.find((each) => each === wanted) ?? currencies[0] ?? null;
  const own = new Map(
    dayTotals
      .filter((totals) => totals.currency === currency)
      .map((totals) => [totals.day, totals]),
  );
  const figures = days.map((day, i): DayFigures => ({ ...NONE, ...countsOf(own.get(i)), day }));
  return { currency, currencies, days: figures, total: figures.reduce(sum, NONE) };
}

function countsOf(totals: DayTotals | undefined): Partial<DayFigures> {
  if (!totals) return {};
  const { currency: _currency, day: _day, ...counts } = totals;
  return counts;
}

function mostUsed(dayTotals: readonly DayTotals[]): string[] {
  const orders = new Map<string, number>();
  for (const { currency, created } of dayTotals) {
    orders.set(currency, (orders.get(currency) ?? 0) + created);
  }
  return [...orders]
    .sort(([a, more], [b, less]) => less - more || (a < b ? -1 : 1))
    .map(([currency]) => currency);
}

const sum = (one: Omit<DayFigures, 'day'>, other: Omit<DayFigures, 'day'>) => ({
  created: one.created + other.created,
  started: one.started + other.started,
  paid: one.paid + other.paid,
  expired: one.expired + other.expired,
  failed: one.failed + other.failed,
  cancelled: one.cancelled + other.cancelled,
  volume: one.volume + other.volume,
});
