import { readIsoDay } from '../bank-day.js';
import type { XmlElement } from './element.js';

const DAY_MS = 86_400_000;
const MIDNIGHT = /T00:00(?::00(?:\.0+)?)?(?!:)/;

/** Days from the opening balance, or the start of `FrToDt`, to the earlier of closing balance and end of `FrToDt`. */
export class CamtPeriod {
  private range: { readonly from: string | null; readonly until: string | null } | undefined;
  private opening: string | null = null;
  private closing: string | null = null;

  readRange(element: XmlElement): void {
    const from = element.textAt('FrDtTm', 'FrDt');
    const until = element.textAt('ToDtTm', 'ToDt') ?? '';
    const last = dayOf(until);
    // An end at midnight excludes that day.
    this.range = { from: dayOf(from), until: MIDNIGHT.test(until) ? dayBefore(last) : last };
  }

  readBalance(type: string, element: XmlElement): void {
    const day = dayOf(element.textAt('Dt/Dt', 'Dt/DtTm', 'Dt'));
    if (type === 'CLBD') this.closing = day;
    else if (type === 'OPBD') this.opening = day;
  }

  days(): { coversFrom: string | null; coversUntil: string | null } {
    const { range, opening, closing } = this;
    const ends = [range?.until, closing].flatMap((day) => day ?? []).toSorted();
    return { coversFrom: opening ?? range?.from ?? null, coversUntil: ends[0] ?? null };
  }
}

const dayOf = (text: string | undefined): string | null =>
  text === undefined ? null : (readIsoDay(text)?.day ?? null);

const dayBefore = (day: string | null): string | null =>
  day === null ? null : new Date(Date.parse(day) - DAY_MS).toISOString().slice(0, 10);
