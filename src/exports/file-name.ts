import { dayAt } from '../common/time/time-zone.js';
import type {
  OrderFilter,
  OrderScope,
} from '../database/read-models/order-list/order-list.statements.js';

/**
 * Contains the mode and the days, `orders-live-2026-11-01-to-2026-11-30.csv`; without a range, the day of the export.
 */
export function fileName(
  { mode }: Pick<OrderScope, 'mode'>,
  { from, until }: Pick<OrderFilter, 'from' | 'until'>,
  timeZone: string,
  now: Date,
): string {
  // The range excludes `until`.
  const last = until ? dayAt(new Date(until.getTime() - 1), timeZone) : null;
  const range = [...(from ? [dayAt(from, timeZone)] : []), ...(last ? ['to', last] : [])];
  return (
    ['orders', mode, ...(range.length > 0 ? range : [dayAt(now, timeZone)])].join('-') + '.csv'
  );
}
