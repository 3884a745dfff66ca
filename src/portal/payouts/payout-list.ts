import type {
  PayoutCursor,
  PayoutWindow,
} from '../../database/read-models/payout-page.repository.js';
import { PAYOUT_STATUSES, type PayoutStatus } from '../../database/payouts/payout.entity.js';
import { cursorText, parseCursor } from '../../order-search/order-cursor.js';

/** Page size of the payout list. */
export const PAGE_PAYOUTS = 25;

/** Statuses in the URL; empty = all. Unknown values are ignored. */
export function statusesIn(query: URLSearchParams): PayoutStatus[] {
  const label = query.getAll('status').flatMap((text) => text.split(','));
  return PAYOUT_STATUSES.filter((status) => label.includes(status));
}

/** Filter and page from the URL. */
export function windowIn(query: URLSearchParams): PayoutWindow {
  const newer = cursorIn(query.get('newer'));
  return {
    statuses: statusesIn(query),
    cursor: newer ?? cursorIn(query.get('older')),
    direction: newer ? 'newer' : 'older',
    limit: PAGE_PAYOUTS,
  };
}

function cursorIn(text: string | null): PayoutCursor | null {
  const parsed = parseCursor(text ?? '');
  return parsed && { createdAt: parsed.time, id: parsed.txid };
}

export const payoutCursorText = ({ createdAt, id }: PayoutCursor): string =>
  cursorText({ time: createdAt, txid: id });

/** URL of the list with these statuses and a cursor. */
export function listAddress(
  path: string,
  statuses: readonly PayoutStatus[],
  more: Readonly<Record<string, string>> = {},
): string {
  const status: Record<string, string> = statuses.length > 0 ? { status: statuses.join(',') } : {};
  const query = new URLSearchParams({ ...status, ...more }).toString();
  return query ? `${path}?${query}` : path;
}

/** Page number of the lines in the URL, from 1. */
export const pageIn = (text: unknown): number =>
  typeof text === 'string' && /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1;
