import { addDays, dayAt, hourOf, weekdayOf } from '../common/time-zone.js';
import type {
  PayoutFrequency,
  PayoutSchedule,
} from '../database/payouts/payout-schedule.entity.js';

/** Hour of the day, in the merchant's zone, at which payouts are asked for. */
export const PAYOUT_HOUR = 6;

/** A day of the month comes again within so many days. */
const DAYS_MAX = 32;

export type Rhythm = Pick<PayoutSchedule, 'frequency' | 'day'>;

const IS_DAY: Readonly<Record<PayoutFrequency, (day: string, number: number | null) => boolean>> = {
  daily: () => true,
  weekly: (day, number) => weekdayOf(day) === number,
  monthly: (day, number) => Number(day.slice(-2)) === number,
};

/** The first time of a schedule after a moment, by the clocks of the zone. */
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
