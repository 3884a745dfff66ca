import type { OrderState, PageOrder, PageState } from './page.model.js';

/** The one state a payer is shown. Money that arrived always wins over an order that ended. */
export function pageStateOf(facts: OrderState): PageState {
  switch (facts.status) {
    case 'paid':
      return isTooMuch(facts) ? 'overpaid' : 'paid';
    case 'processing':
      return facts.statusReason === 'outcome_unknown' ? 'unknown' : 'processing';
    case 'open':
      return openStateOf(facts);
    case 'failed':
    case 'cancelled':
    case 'expired':
      return hasMoney(facts) ? 'paid_late' : facts.status;
    default:
      return 'unknown';
  }
}

/** Why the newest payment ended without money; null when it did not. */
export function refusalOf({ payment }: Pick<PageOrder, 'payment'>): string | null {
  if (payment?.status === 'cancelled') return 'cancelled_by_payer';
  return payment?.status === 'failed' ? (payment.errorCode ?? 'declined') : null;
}

export function stateOfOrder(order: PageOrder): PageState {
  return pageStateOf({ ...order, lastAttemptFailed: refusalOf(order) !== null });
}

/** Changes with every change of the order, for the event stream: "processing.3". */
export function fingerprintOf(order: PageOrder): string {
  return `${stateOfOrder(order)}.${order.version}`;
}

function openStateOf(facts: OrderState): PageState {
  // Money in another currency came: someone must look at it before the payer sends more.
  if (facts.exception === 'wrong_currency') return 'unknown';
  if (facts.amountReceived > 0) return 'underpaid';
  return facts.lastAttemptFailed ? 'declined' : 'open';
}

function isTooMuch(facts: OrderState): boolean {
  return (
    facts.statusReason === 'overpaid' ||
    facts.exception === 'overpaid' ||
    facts.exception === 'duplicate_payment'
  );
}

function hasMoney(facts: OrderState): boolean {
  return facts.amountReceived > 0 || facts.exception !== 'none';
}
