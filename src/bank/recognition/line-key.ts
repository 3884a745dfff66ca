import type { StatementLine } from '../../bank-statements/statement.js';
import { NEAR_DAYS } from '../../database/bank/lines/possible-duplicate.repository.js';

const DAY_MS = 86_400_000;
/** Maximum days between announcement, value date and booking date of one booking. */
const WINDOW_DAYS = 10;

type Money = Pick<StatementLine, 'direction' | 'amount' | 'amountText' | 'currency'>;
export type Dated = Pick<StatementLine, 'bookedOn' | 'valuedOn'>;

/** Day in the key; empty when the bank gave none. */
export const dayOf = ({ bookedOn, valuedOn }: Dated): string => bookedOn ?? valuedOn ?? '';

const moneyKey = ({ direction, amount, amountText, currency }: Money): string =>
  `${direction}|${amount === null ? `${amountText}?` : amount}|${currency ?? ''}|`;

/** Key that all reports of a booking share: direction, amount, currency and day. */
export const lineKey = (line: Money & Dated): string => moneyKey(line) + dayOf(line);

/** The key without its day. */
export const keyOfMoney = (key: string): string => key.slice(0, key.lastIndexOf('|') + 1);

/** Key of a booking without a day. */
export const undatedKey = (line: Money): string => moneyKey(line);

/** Range of keys with the same money on nearby days; on all days when the line has no day. */
export function keysAround(line: Money & Dated): { low: string; high: string } {
  const money = moneyKey(line);
  const day = dayOf(line);
  if (day === '') return { low: money, high: `${money}~` };
  const at = (days: number) => new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
  return { low: money + at(-WINDOW_DAYS), high: money + at(WINDOW_DAYS) };
}

/** Whether both have the same day, or one has none. */
export const sameDay = (one: Dated, other: Dated): boolean =>
  dayOf(one) === dayOf(other) || dayOf(one) === '' || dayOf(other) === '';

/** Whether two lines may have the same day: one may have the value date where the other has the booking date. */
export const touchingDays = (one: Dated, other: Dated): boolean =>
  sameDay(one, other) ||
  [one.bookedOn, one.valuedOn].some(
    (day) => day !== null && (day === other.bookedOn || day === other.valuedOn),
  );

/** Whether both have the same value date; the booking date replaces a missing one. */
export function sameValueDay(one: Dated, other: Dated): boolean {
  const day = valueDayOf(one);
  return day !== '' && day === valueDayOf(other);
}

const areNear = (one: string, other: string): boolean =>
  Math.abs(Date.parse(one) - Date.parse(other)) <= NEAR_DAYS * DAY_MS;

const valueDayOf = ({ bookedOn, valuedOn }: Dated): string => valuedOn ?? bookedOn ?? '';

/**
 * Whether two messages may report one booking although they date it differently. A value day and a booking day of one
 * booking may be weeks apart, so without both booking days the value days count, too.
 */
export const nearDays = (one: Dated, other: Dated): boolean =>
  sameDay(one, other) ||
  areNear(dayOf(one), dayOf(other)) ||
  ((one.bookedOn === null || other.bookedOn === null) &&
    areNear(valueDayOf(one), valueDayOf(other)));
