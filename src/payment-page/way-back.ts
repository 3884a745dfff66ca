import type { PageOrder, PageState } from './page.model.js';
import { ENDED_UNPAID } from './page-state.js';

/** Seconds until the payer of a just ended order is redirected to the shop. */
export const WAY_BACK_SECONDS = 8;
/** Milliseconds since the end of the order, after which no redirect happens. */
const JUST_NOW_MS = 10 * 60_000;

/** States with nothing left to read; a late payer sees further instructions. */
const LEAVES: ReadonlySet<PageState> = new Set([...ENDED_UNPAID, 'paid', 'overpaid']);

/**
 * Return URL of the shop, with `orderMerchantId`, `txid` and `status` appended; existing parameters stay. Undefined
 * without a return URL.
 */
export function shopUrlOf(order: PageOrder, state: PageState): string | undefined {
  const { orderMerchantId, txid, status, returnUrl, cancelUrl } = order;
  const url = URL.parse((ENDED_UNPAID.has(state) && cancelUrl) || returnUrl || '');
  if (!url) return undefined;
  const parts = Object.entries({ orderMerchantId, txid, status });
  const missing = parts.filter(([name]) => !url.searchParams.has(name));
  // Not through `searchParams`, which would re-encode the shop's own parameters.
  const parameters = new URLSearchParams(missing).toString();
  if (parameters) url.search += `${url.search ? '&' : '?'}${parameters}`;
  return url.href;
}

export const isTakenBack = ({ updatedAt }: PageOrder, state: PageState, now: Date): boolean =>
  LEAVES.has(state) && now.getTime() - updatedAt.getTime() < JUST_NOW_MS;
