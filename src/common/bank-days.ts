import { addDays } from './time-zone.js';

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
export const nextBankDay = (day: string): string =>
  isTargetDay(day) ? day : nextBankDay(addDays(day, 1));

/**
 * The last of so many bank days that follow a day; the day itself does not count.
 * @param day `2026-11-20`, a Friday: 3 bank days after it is `2026-11-25`
 */
export const bankDaysAfter = (day: string, days: number): string =>
  days <= 0 ? day : bankDaysAfter(nextBankDay(addDays(day, 1)), days - 1);

/**
 * The first of so many bank days that come before a day.
 * @param day `2026-11-20`, a Friday: 2 bank days before it is `2026-11-18`, and before the Monday after it `2026-11-19`
 */
export const bankDaysBefore = (day: string, days: number): string =>
  days <= 0 ? day : bankDaysBefore(lastBankDayBefore(day), days - 1);

/**
 * The latest day after which so many bank days are over on a day.
 * @param today `2026-11-26`, a Thursday: 3 bank days are over since `2026-11-22`
 */
export function lastDayBefore(today: string, days: number): string {
  let day = addDays(today, -1 - days);
  while (bankDaysAfter(day, days) >= today) day = addDays(day, -1);
  return day;
}

/** Bank days after the last one for a transfer, until which a statement of that day is waited for. */
export const STATEMENT_DAYS = 3;

/** The day, in UTC, of which an order that expires then has the last moment. */
export const deadlineDay = (expiresAt: Date): string => expiresAt.toISOString().slice(0, 10);

/** Until when a statement of an order's last day is waited for. */
export const lastStatementAt = (expiresAt: Date): Date =>
  endOfDay(bankDaysAfter(deadlineDay(expiresAt), STATEMENT_DAYS));

/** The last moment of a day in UTC. */
export const endOfDay = (day: string): Date => new Date(`${day}T23:59:59.999Z`);

/**
 * Until when a transfer may be booked that somebody decides on now: the end of a bank day.
 * @param days of the calendar that the payer has; the last one moves on to the next bank day
 */
export const transferDeadline = (now: Date, days: number): Date =>
  endOfDay(nextBankDay(addDays(now.toISOString().slice(0, 10), days)));

function lastBankDayBefore(day: string): string {
  const before = addDays(day, -1);
  return isTargetDay(before) ? before : lastBankDayBefore(before);
}

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
