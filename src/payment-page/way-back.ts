import type { PageOrder, PageState } from './page.model.js';
import { ENDED_UNPAID } from './page-state.js';

/** Seconds after which a payer whose order has just ended is taken back to the shop. */
export const WAY_BACK_SECONDS = 8;
/** Milliseconds. Who opens the page of an order that ended longer ago wants to see it. */
const JUST_NOW_MS = 10 * 60_000;

/** Where nothing is left to read: who has paid too late is told what to do. */
const LEAVES: ReadonlySet<PageState> = new Set([...ENDED_UNPAID, 'paid', 'overpaid']);

/**
 * The shop's address for what became of the order, with `orderMerchantId`, `txid` and `status` behind its
 * own parameters; those that it has itself stay. Undefined where the shop gave none.
 */
export function shopUrlOf(order: PageOrder, state: PageState): string | undefined {
  const { orderMerchantId, txid, status, returnUrl, cancelUrl } = order;
  const url = URL.parse((ENDED_UNPAID.has(state) && cancelUrl) || returnUrl || '');
  if (!url) return undefined;
  const told = Object.entries({ orderMerchantId, txid, status });
  const missing = told.filter(([name]) => !url.searchParams.has(name));
  // Not through `searchParams`, which would write the shop's own parameters anew.
  const parameters = new URLSearchParams(missing).toString();
  if (parameters) url.search += `${url.search ? '&' : '?'}${parameters}`;
  return url.href;
}

export const isTakenBack = ({ updatedAt }: PageOrder, state: PageState, now: Date): boolean =>
  LEAVES.has(state) && now.getTime() - updatedAt.getTime() < JUST_NOW_MS;
