import type { HistoryCount } from '../../database/repositories/history.repository.js';
import { numberText } from '../layout/values.js';
import type { Shown } from './history-address.js';
import type { HistoryPreset } from './history-dates.js';

export const PRESET_WORDS: Readonly<Record<HistoryPreset, string>> = {
  today: 'Today',
  yesterday: 'Yesterday',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
  month: 'This month',
  'last-month': 'Last month',
  year: 'This year',
};

/** "1,284 orders"; "more than 10,000 orders" where no more were counted. */
export const countText = ({ count, isMore }: HistoryCount): string =>
  `${isMore ? 'more than ' : ''}${numberText(count)} ${count === 1 ? 'order' : 'orders'}`;

/** In a small place: "1,284", "10,000+". */
export const shortCount = ({ count, isMore }: HistoryCount): string =>
  numberText(count) + (isMore ? '+' : '');

/** The days of the filter: "Last 7 days", "7 – 20 Nov 2026", "All days". */
export function daysText({ place, filter, preset }: Shown): string {
  const { basis, from, until } = filter;
  return (basis === 'paid' ? 'Paid: ' : '') + (preset ? PRESET_WORDS[preset] : rangeText());

  function rangeText(): string {
    const format = new Intl.DateTimeFormat('en-GB', {
      timeZone: place.timeZone,
      day: 'numeric',
      month: 'short',
      year: 'numeric',
    });
    const last = until && new Date(until.getTime() - 1);
    if (from && last) return format.formatRange(from, last);
    if (from) return `Since ${format.format(from)}`;
    return last ? `Until ${format.format(last)}` : 'All days';
  }
}
