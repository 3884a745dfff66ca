import type { PaymentStatus, TransferForm } from '../database/payments/payment.entity.js';
import type { OrderState, PageOrder, PageState } from './page.model.js';

/** By the reason for which an order is processed. */
const PROCESSING: Readonly<Record<string, PageState | undefined>> = {
  outcome_unknown: 'unknown',
  awaiting_transfer: 'awaiting_transfer',
};

/** The one state a payer is shown. Money that arrived always wins over an order that ended. */
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

/** Why the newest payment ended without money; null when it did not, or was never this payer's. */
export function refusalOf({ payment }: Pick<PageOrder, 'payment'>): string | null {
  if (payment?.errorCode === 'match_undone') return null;
  if (payment?.status === 'cancelled') return 'cancelled_by_payer';
  return payment?.status === 'failed' ? (payment.errorCode ?? 'declined') : null;
}

export function stateOfOrder(order: PageOrder): PageState {
  return pageStateOf({ ...order, lastAttemptFailed: refusalOf(order) !== null });
}

/** Where the payer transfers money to: while it is waited for, and while a rest of it is missing. */
export function transferOf(order: PageOrder): TransferForm | null {
  if (!SHOWS_TRANSFER.has(stateOfOrder(order))) return null;
  const told = order.payments.findLast(({ status, transfer }) => transfer && IS_TOLD.has(status));
  return told?.transfer ?? null;
}

/** Whether a transfer can still come that nobody waits for any more. */
export const mayHaveSent = (order: PageOrder): boolean =>
  ENDED_UNPAID.has(stateOfOrder(order)) && order.payments.some(({ transfer }) => transfer);

export const ENDED_UNPAID: ReadonlySet<PageState> = new Set(['failed', 'cancelled', 'expired']);
const SHOWS_TRANSFER: ReadonlySet<PageState> = new Set(['awaiting_transfer', 'underpaid']);
const IS_TOLD: ReadonlySet<PaymentStatus> = new Set(['pending', 'succeeded']);

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
  const { statusReason, exception } = facts;
  if (exception === 'overpaid' || exception === 'duplicate_payment') return true;
  // What was too much may have been taken back since: then nothing is odd about the order.
  return statusReason === 'overpaid' && exception !== 'none';
}

function hasMoney(facts: OrderState): boolean {
  // Taken back is not there.
  return facts.amountReceived > 0 || !['none', 'charged_back'].includes(facts.exception);
}
