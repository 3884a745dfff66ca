const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/i;

/** The moment that a text of RFC 3339 means, with a zone; null for what is none. */
export function momentOf(text: string): Date | null {
  const moment = new Date(MOMENT.test(text) ? text : Number.NaN);
  return Number.isNaN(moment.getTime()) ? null : moment;
}
