import type { PaymentStatus, TransferForm } from '../database/payments/payment.entity.js';
import type { OrderState, PageOrder, PageState } from './page.model.js';

/** By the status reason of a processing order. */
const PROCESSING: Readonly<Record<string, PageState | undefined>> = {
  outcome_unknown: 'unknown',
  awaiting_transfer: 'awaiting_transfer',
};

/** Page state of an order. Money that arrived takes precedence over an ended order. */
export function pageStateOf(facts: OrderState): PageState {
  switch (facts.status) {
    case 'paid':
      if (facts.exception === 'charged_back') return 'charged_back';
      return isTooMuch(facts) ? 'overpaid' : 'paid';
    case 'processing':
      return PROCESSING[facts.statusReason ?? ''] ?? 'processing';
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

/** Decline code of the newest payment; null if it did not fail, or was never shown to the payer. */
export function refusalOf({ payment }: Pick<PageOrder, 'payment'>): string | null {
  if (payment?.errorCode === 'match_undone') return null;
  if (payment?.status === 'cancelled') return 'cancelled_by_payer';
  return payment?.status === 'failed' ? (payment.errorCode ?? 'declined') : null;
}

export function stateOfOrder(order: PageOrder): PageState {
  return pageStateOf({ ...order, lastAttemptFailed: refusalOf(order) !== null });
}

/** Transfer details to show: while the transfer, or the rest of it, is awaited. */
export function transferOf(order: PageOrder): TransferForm | null {
  if (!SHOWS_TRANSFER.has(stateOfOrder(order))) return null;
  const shown = order.payments.findLast(
    ({ status, transfer }) => transfer && IS_CURRENT.has(status),
  );
  return shown?.transfer ?? null;
}

/** Whether a transfer can still arrive for an ended order. */
export const mayHaveSent = (order: PageOrder): boolean =>
  ENDED_UNPAID.has(stateOfOrder(order)) && order.payments.some(({ transfer }) => transfer);

export const ENDED_UNPAID: ReadonlySet<PageState> = new Set(['failed', 'cancelled', 'expired']);
const SHOWS_TRANSFER: ReadonlySet<PageState> = new Set(['awaiting_transfer', 'underpaid']);
const IS_CURRENT: ReadonlySet<PaymentStatus> = new Set(['pending', 'succeeded']);

/** Changes with every change of the order, for the event stream: "processing.3". */
export function fingerprintOf(order: PageOrder): string {
  return `${stateOfOrder(order)}.${order.version}`;
}

function openStateOf(facts: OrderState): PageState {
  // Money in another currency needs attention before the payer sends more.
  if (facts.exception === 'wrong_currency') return 'unknown';
  if (facts.amountReceived > 0) return 'underpaid';
  return facts.lastAttemptFailed ? 'declined' : 'open';
}

function isTooMuch(facts: OrderState): boolean {
  const { statusReason, exception } = facts;
  if (exception === 'overpaid' || exception === 'duplicate_payment') return true;
  // The surplus may have been refunded since.
  return statusReason === 'overpaid' && exception !== 'none';
}

function hasMoney(facts: OrderState): boolean {
  // Money taken back does not count.
  return facts.amountReceived > 0 || !['none', 'charged_back'].includes(facts.exception);
}
