import type { StatementLine } from '../bank-statements/statement.js';
import { NEAR_DAYS } from '../database/bank/possible-duplicate.repository.js';

const DAY_MS = 86_400_000;
/** So far apart may the days be on which a booking is announced, valued and booked. */
const WINDOW_DAYS = 10;

type Money = Pick<StatementLine, 'direction' | 'amount' | 'amountText' | 'currency'>;
export type Dated = Pick<StatementLine, 'bookedOn' | 'valuedOn'>;

/** The day by which a booking is found; empty when its bank gave none. */
export const dayOf = ({ bookedOn, valuedOn }: Dated): string => bookedOn ?? valuedOn ?? '';

const moneyKey = ({ direction, amount, amountText, currency }: Money): string =>
  `${direction}|${amount === null ? `${amountText}?` : amount}|${currency ?? ''}|`;

/** What a booking has in common with every other telling of it: direction, amount, currency and day. */
export const lineKey = (line: Money & Dated): string => moneyKey(line) + dayOf(line);

/** A key without its day. */
export const keyOfMoney = (key: string): string => key.slice(0, key.lastIndexOf('|') + 1);

/** The same of a booking whose day its bank does not tell. */
export const undatedKey = (line: Money): string => moneyKey(line);

/** The keys of the same money on days nearby, from the first to the last; of all days when it has none itself. */
export function keysAround(line: Money & Dated): { low: string; high: string } {
  const money = moneyKey(line);
  const day = dayOf(line);
  if (day === '') return { low: money, high: `${money}~` };
  const at = (days: number) => new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
  return { low: money + at(-WINDOW_DAYS), high: money + at(WINDOW_DAYS) };
}

/** Whether a day is that of the other booking, as far as both have one. */
export const sameDay = (one: Dated, other: Dated): boolean =>
  dayOf(one) === dayOf(other) || dayOf(one) === '' || dayOf(other) === '';

/** Whether two tellings can mean the same day: one may have the day of value where the other has that of the booking. */
export const touchingDays = (one: Dated, other: Dated): boolean =>
  sameDay(one, other) ||
  [one.bookedOn, one.valuedOn].some(
    (day) => day !== null && (day === other.bookedOn || day === other.valuedOn),
  );

/** Whether both have the same day of value; without one, that of the booking is it. */
export function sameValueDay(one: Dated, other: Dated): boolean {
  const day = one.valuedOn ?? one.bookedOn;
  return day !== null && day === (other.valuedOn ?? other.bookedOn);
}

/** Whether two messages can mean one booking, although they date it differently. */
export const nearDays = (one: Dated, other: Dated): boolean =>
  sameDay(one, other) ||
  Math.abs(Date.parse(dayOf(one)) - Date.parse(dayOf(other))) <= NEAR_DAYS * DAY_MS;
