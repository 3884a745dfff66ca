/** Milliseconds that the bank may be ahead. */
const AHEAD_MS = 86_400_000;

/**
 * Other readings of a day (`YYYY-MM-DD`) by wrong patterns: with day and month exchanged, or day and a year of two
 * digits. Null if the day has no such reading. No country writes the month first with dots, or the day after the year.
 */
const OTHER_READINGS: readonly ((day: string, pattern: string) => string | null)[] = [
  (day, pattern) => {
    const [year, month, date] = day.split('-') as [string, string, string];
    return /^(?:YYYY.?MM|DD\.MM)/.test(pattern) || date > '12' ? null : `${year}-${date}-${month}`;
  },
  (day, pattern) => {
    const [year, month, date] = day.split('-') as [string, string, string];
    const other = year.slice(2);
    return pattern.includes('YYYY') || other > '31' ? null : `20${date}-${month}-${other}`;
  },
];

/**
 * Whether another pattern reads all days, and the newest of them is at least as near to today: files are imported soon
 * after their last day. Balances prove amounts, but not days, and a booking of another day would count again.
 * @param days `YYYY-MM-DD`
 * @param pattern of the CSV profile
 */
export function mayBeMisread(days: ReadonlySet<string>, pattern: string, now: Date): boolean {
  const newest = [...days].toSorted().at(-1);
  const distance = (day: string): number => Math.abs(Date.parse(day) - now.getTime());
  const latest = new Date(now.getTime() + AHEAD_MS).toISOString().slice(0, 10);
  return (
    newest !== undefined &&
    OTHER_READINGS.some((readingOf) => {
      const others = [...days].flatMap((day) => readingOf(day, pattern) ?? []);
      const other = others.toSorted().at(-1);
      const isNearer =
        distance(other!) < distance(newest) ||
        (other === newest && others.some((day) => !days.has(day)));
      return others.length === days.size && isNearer && other! <= latest;
    })
  );
}
