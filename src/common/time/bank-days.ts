import { addDays } from './time-zone.js';

const DAY_MS = 86_400_000;
const SUNDAY = 0;
const SATURDAY = 6;

/** New Year, Labour Day and Christmas. */
const FIXED_HOLIDAYS: ReadonlySet<string> = new Set(['01-01', '05-01', '12-25', '12-26']);
/** Good Friday and Easter Monday, in days after Easter. */
const EASTER_HOLIDAYS: ReadonlySet<number> = new Set([-2, 1]);

/**
 * The day itself, or the next TARGET business day.
 * @param day `2026-11-20`
 */
export const nextBankDay = (day: string): string =>
  isTargetDay(day) ? day : nextBankDay(addDays(day, 1));

/**
 * The last of the given number of bank days after a day, which itself does not count.
 * @param day `2026-11-20`, a Friday: 3 bank days after it is `2026-11-25`
 */
export const bankDaysAfter = (day: string, days: number): string =>
  days <= 0 ? day : bankDaysAfter(nextBankDay(addDays(day, 1)), days - 1);

/**
 * The first of the given number of bank days before a day.
 * @param day `2026-11-20`, a Friday: 2 bank days before it is `2026-11-18`, and before the Monday after it `2026-11-19`
 */
export const bankDaysBefore = (day: string, days: number): string =>
  days <= 0 ? day : bankDaysBefore(lastBankDayBefore(day), days - 1);

/**
 * The latest day since which the given number of bank days have passed.
 * @param today `2026-11-26`, a Thursday: 3 bank days have passed since `2026-11-22`
 */
export function lastDayBefore(today: string, days: number): string {
  let day = addDays(today, -1 - days);
  while (bankDaysAfter(day, days) >= today) day = addDays(day, -1);
  return day;
}

/** Bank days to wait for a statement after the last day for a transfer. */
export const STATEMENT_DAYS = 3;

/** Last day in UTC before the expiry. */
export const deadlineDay = (expiresAt: Date): string => expiresAt.toISOString().slice(0, 10);

/** Time until which a statement of an order's last day is awaited. */
export const lastStatementAt = (expiresAt: Date): Date =>
  endOfDay(bankDaysAfter(deadlineDay(expiresAt), STATEMENT_DAYS));

/** Last millisecond of a day in UTC. */
export const endOfDay = (day: string): Date => new Date(`${day}T23:59:59.999Z`);

/**
 * Deadline for a transfer chosen now: the end of a bank day.
 * @param days calendar days for the payer; the last one moves to the next bank day
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

/** Midnight of Easter Sunday in UTC, in milliseconds: the Gregorian algorithm of Meeus, Jones, Butcher. */
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
