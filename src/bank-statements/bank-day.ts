export interface BankDay {
  /** `YYYY-MM-DD` */
  readonly day: string;
  /** The bank's date does not exist, such as 30 February: `day` is the last day of that month. */
  readonly clamped: boolean;
}

const DAY_MS = 86_400_000;

/**
 * Clamps a day after the end of its month to the last day, since some banks calculate with 30-day months.
 * @returns undefined for a year before 1900, a month outside 1 to 12, or a day outside 1 to 31
 */
export function bankDay(year: number, month: number, day: number): BankDay | undefined {
  if (month < 1 || month > 12 || day < 1 || day > 31 || year < 1900) return undefined;
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const date = new Date(Date.UTC(year, month - 1, Math.min(day, last)));
  return { day: date.toISOString().slice(0, 10), clamped: day > last };
}

/** Date part of an ISO 8601 date or date-time, without conversion: a bank's date has no time zone. */
export function readIsoDay(text: string): BankDay | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d)(?!\d|-(?!\d\d:\d\d))/.exec(text);
  return match ? bankDay(Number(match[1]), Number(match[2]), Number(match[3])) : undefined;
}

/** Completes `MMDD` with the year that is nearest to the date `to`. */
export function nearestDay(monthAndDay: string, to: string): BankDay | undefined {
  const [month, day] = [Number(monthAndDay.slice(0, 2)), Number(monthAndDay.slice(2))];
  const year = Number(to.slice(0, 4));
  const distance = (one: BankDay) => Math.abs(Date.parse(one.day) - Date.parse(to)) / DAY_MS;
  return [year, year - 1, year + 1]
    .map((each) => bankDay(each, month, day))
    .filter((each) => each !== undefined)
    .sort((one, other) => distance(one) - distance(other))[0];
}
