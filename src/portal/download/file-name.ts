import type {
  HistoryFilter,
  HistoryScope,
} from '../../database/repositories/history.statements.js';

/**
 * Tells the mode and the days, `orders-live-2026-11-01-to-2026-11-30.csv`; without a range, the day
 * on which the file was made.
 */
export function fileName(
  { mode }: Pick<HistoryScope, 'mode'>,
  { from, until }: Pick<HistoryFilter, 'from' | 'until'>,
  timeZone: string,
  now: Date,
): string {
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
  // The range ends before `until`.
  const last = until ? day.format(until.getTime() - 1) : null;
  const range = [...(from ? [day.format(from)] : []), ...(last ? ['to', last] : [])];
  return ['orders', mode, ...(range.length > 0 ? range : [day.format(now)])].join('-') + '.csv';
}
