import { readIban } from '../../../common/money/iban.js';
import { addDays, isCalendarDay } from '../../../common/time/time-zone.js';
import type { BalanceFilter } from '../../../database/bank/files/bank-balance.repository.js';
import type { Query } from '../../../http/query.js';

const TEXT_MAX = 140;
/** Default and maximum number of days on a page. */
export const DAYS_SHOWN = 31;
export const DAYS_MAX = 366;

export type BalanceQuery = Pick<BalanceFilter, 'account'> & {
  readonly from: string;
  readonly until: string;
};

/** Ignores parameters that it cannot parse: an old or mistyped link still opens the page. */
export function readBalanceQuery({ account, from, until }: Query, now: Date): BalanceQuery {
  const last = dayOf(until) ?? now.toISOString().slice(0, 10);
  const first = dayOf(from) ?? addDays(last, 1 - DAYS_SHOWN);
  const earliest = addDays(last, 1 - DAYS_MAX);
  return {
    account: accountOf(account),
    from: first > last ? last : first < earliest ? earliest : first,
    until: last,
  };
}

const dayOf = (text: unknown): string | null =>
  typeof text === 'string' && isCalendarDay(text) ? text : null;

function accountOf(text: unknown): string | null {
  if (typeof text !== 'string') return null;
  const typed = text.trim().replaceAll('\0', '').slice(0, TEXT_MAX);
  return typed === '' ? null : (readIban(typed) ?? typed);
}
