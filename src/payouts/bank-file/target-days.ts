import { addDays } from '../../common/time-zone.js';

const DAY_MS = 86_400_000;
const SUNDAY = 0;
const SATURDAY = 6;

/** New Year, Labour Day and Christmas, in each year. */
const FIXED_HOLIDAYS: ReadonlySet<string> = new Set(['01-01', '05-01', '12-25', '12-26']);
/** Good Friday and Easter Monday, in days after Easter. */
const EASTER_HOLIDAYS: ReadonlySet<number> = new Set([-2, 1]);

/**
 * The day itself, or the first one after it on which banks settle euros with each other in TARGET.
 * @param day `2026-11-20`
 */
export const nextTargetDay = (day: string): string =>
  isTargetDay(day) ? day : nextTargetDay(addDays(day, 1));

function isTargetDay(day: string): boolean {
  const date = new Date(day);
  const weekday = date.getUTCDay();
  if (weekday === SATURDAY || weekday === SUNDAY) return false;
  if (FIXED_HOLIDAYS.has(day.slice(5))) return false;
  const daysAfterEaster = (date.getTime() - easter(date.getUTCFullYear())) / DAY_MS;
  return !EASTER_HOLIDAYS.has(daysAfterEaster);
}

/** Midnight of Easter Sunday in UTC, in milliseconds: the Gregorian rule of Meeus, Jones, Butcher. */
function easter(year: number): number {
  const century = Math.floor(year / 100);
  const golden = year % 19;
  const leapCenturies = Math.floor(century / 4);
  const moonShift = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - leapCenturies - moonShift + 15) % 30;
  const yearDays = 2 * (century % 4) + 2 * Math.floor((year % 100) / 4) - (year % 4);
  const weekday = (32 + yearDays - epact) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * weekday) / 451);
  return Date.UTC(year, 2, 22 + epact + weekday - 7 * late);
}
