import { addDays, dayAt } from '../../common/time/time-zone.js';

export const DATE_PRESETS = [
  'today',
  'yesterday',
  '7d',
  '30d',
  '90d',
  'month',
  'last-month',
  'year',
] as const;
export type DatePreset = (typeof DATE_PRESETS)[number];

/** Calendar days, both included. */
export interface DayRange {
  readonly first: string;
  readonly last: string;
}

const firstOfMonth = (day: string): string => `${day.slice(0, 7)}-01`;

const lastDays = (count: number, today: string): DayRange => ({
  first: addDays(today, 1 - count),
  last: today,
});

const RANGES: Record<DatePreset, (today: string) => DayRange> = {
  today: (today) => lastDays(1, today),
  yesterday: (today) => ({ first: addDays(today, -1), last: addDays(today, -1) }),
  '7d': (today) => lastDays(7, today),
  '30d': (today) => lastDays(30, today),
  '90d': (today) => lastDays(90, today),
  month: (today) => ({ first: firstOfMonth(today), last: today }),
  'last-month': (today) => {
    const last = addDays(firstOfMonth(today), -1);
    return { first: firstOfMonth(last), last };
  },
  year: (today) => ({ first: `${today.slice(0, 4)}-01-01`, last: today }),
};

/** Days of a preset in the time zone, including today. */
export const presetDays = (preset: DatePreset, timeZone: string, now: Date): DayRange =>
  RANGES[preset](dayAt(now, timeZone));
