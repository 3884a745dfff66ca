import { dateFormats } from '../../common/time/date-formats.js';
import type { OrderCount } from '../../database/read-models/order-list/order-list.repository.js';
import { numberText } from '../kit/values.js';
import type { DatePreset } from './date-presets.js';
import type { OrderFilter } from './order-filter.js';
import type { Shown } from './order-list-address.js';

export const PRESET_LABELS: Readonly<Record<DatePreset, string>> = {
  today: 'Today',
  yesterday: 'Yesterday',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
  month: 'This month',
  'last-month': 'Last month',
  year: 'This year',
};

/** "1,284 orders", or "more than 10,000 orders" if counting stopped there. */
export const countedText = ({ count, isMore }: OrderCount, noun = 'order'): string =>
  `${isMore ? 'more than ' : ''}${numberText(count)} ${count === 1 ? noun : `${noun}s`}`;

/** Short form: "1,284", "10,000+". */
export const shortCount = ({ count, isMore }: OrderCount): string =>
  numberText(count) + (isMore ? '+' : '');

type Period = Pick<OrderFilter, 'from' | 'until'>;

const dayFormat = dateFormats('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

/** The days of the filter: "Last 7 days", "7 – 20 Nov 2026", "All days". */
export function daysText({ access, filter, preset }: Shown): string {
  const days = preset ? PRESET_LABELS[preset] : rangeText(filter, access.timeZone);
  return (filter.basis === 'paid' ? 'Paid: ' : '') + days;
}

/** "7 – 20 Nov 2026", "All days". */
export function rangeText({ from, until }: Period, timeZone: string): string {
  const format = dayFormat(timeZone);
  const last = until && new Date(until.getTime() - 1);
  if (from && last) return format.formatRange(from, last);
  if (from) return `Since ${format.format(from)}`;
  return last ? `Until ${format.format(last)}` : 'All days';
}
