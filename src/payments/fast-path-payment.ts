import type { PaidOrder, WaitingOrder } from '../database/payments/paid-order.js';
import type { ProviderEvent } from '../database/providers/provider-event.entity.js';
import { feeOf } from '../ledger/fee.js';
import { bookingsOf, transfersOf } from '../ledger/rules.js';
import type { Outcome, ProviderReport } from '../providers/provider.js';
import { planChange } from '../status/order-change.js';
import { mismatchOf } from './mismatch.js';
import { settle } from './settlement.js';

/** Rows of a callback that pays its order in full and contains nothing else; null for any other. */
export function plainlyPaid(event: ProviderEvent, waiting: WaitingOrder): PaidOrder | null {
  const { outcome } = event.report as ProviderReport;
  if (mismatchOf(event, waiting.order, waiting.payment)) return null;
  return paidInFull(waiting, outcome, event.receivedAt);
}

/**
 * Rows of an outcome that pays its order in the usual way: the order waits for this payment, which brings exactly the
 * requested amount. Null for every other case, which `SettlementService` settles behind the order's lock.
 */
export function paidInFull(
  { order, payment }: WaitingOrder,
  outcome: Outcome,
  now: Date,
): PaidOrder | null {
  const isFirst = payment.amountReceived === null && order.amountReceived === 0;
  if (outcome.kind !== 'accepted' || !isFirst) return null;
  const said = settle(order, payment, outcome, now);
  if (said.order?.to !== 'paid' || said.order.reason !== 'exact') return null;
  const fee = feeOf(order.amount, payment.price);
  const plan = planChange(order, { ...said.order, fee }, now);
  if (plan?.events.length !== 1) return null;
  const completes = { amount: order.amount, before: 0, fee };
  return {
    before: order,
    order: { ...order, ...plan.patch, updatedAt: plan.at, version: order.version + 1 },
    payment: { ...payment, ...said.payment },
    event: plan.events[0]!,
    transfers: transfersOf(payment.provider, bookingsOf({ amount: outcome.amount, completes })),
  };
}
