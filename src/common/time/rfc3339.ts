const MOMENT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i;

/** Parses an RFC 3339 time with a zone; null if invalid. */
export function momentOf(text: string): Date | null {
  const local = MOMENT.exec(text)?.[1];
  if (local === undefined || !isOnClock(local)) return null;
  const moment = new Date(text);
  return Number.isNaN(moment.getTime()) ? null : moment;
}

/** JavaScript reads 30 February as 2 March, and 24 o'clock as the next day. */
function isOnClock(local: string): boolean {
  const time = Date.parse(`${local}Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(local.toUpperCase());
}
