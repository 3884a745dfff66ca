import { addDays, dayAt, hourOf, weekdayOf } from '../common/time/time-zone.js';
import type {
  PayoutFrequency,
  PayoutSchedule,
} from '../database/payouts/payout-schedule.entity.js';

/** Hour in the merchant's time zone at which scheduled payouts are requested. */
export const PAYOUT_HOUR = 6;

/** Maximum days until a day of the month recurs. */
const DAYS_MAX = 32;

export type Rhythm = Pick<PayoutSchedule, 'frequency' | 'day'>;

const IS_DAY: Readonly<Record<PayoutFrequency, (day: string, number: number | null) => boolean>> = {
  daily: () => true,
  weekly: (day, number) => weekdayOf(day) === number,
  monthly: (day, number) => Number(day.slice(-2)) === number,
};

/** First run of a schedule after a point in time, in local time of the zone. */
export function nextRun({ frequency, day: number }: Rhythm, after: Date, timeZone: string): Date {
  const today = dayAt(after, timeZone);
  for (let days = 0; days <= DAYS_MAX; days++) {
    const day = addDays(today, days);
    if (!IS_DAY[frequency](day, number)) continue;
    const run = hourOf(day, PAYOUT_HOUR, timeZone);
    if (run > after) return run;
  }
  throw new RangeError(`no ${frequency} schedule has the day ${number}`);
}
