import type { Order } from '../database/orders/order.entity.js';
import type { Payment } from '../database/payments/payment.entity.js';
import type { ProviderEvent } from '../database/providers/provider-event.entity.js';
import type { ProviderReport } from '../providers/provider.js';

export type Mismatch = 'other_provider' | 'other_order' | 'other_mode' | 'other_reference';

/** Why a callback does not concern the payment that it names; null if it does. */
export function mismatchOf(
  event: Pick<ProviderEvent, 'provider' | 'mode' | 'report'>,
  order: Pick<Order, 'merchantId' | 'txid' | 'mode'>,
  payment: Pick<Payment, 'provider' | 'providerReference' | 'status'>,
): Mismatch | null {
  const { merchantId, txid, providerReference } = event.report as ProviderReport;
  if (event.provider !== payment.provider) return 'other_provider';
  if (merchantId !== order.merchantId || txid !== order.txid) return 'other_order';
  // A test account's secret must never settle a live order.
  if (event.mode !== null && event.mode !== order.mode) return 'other_mode';
  // A paid payment has one reference: another reference means other money.
  const known = payment.status === 'succeeded' ? payment.providerReference : null;
  const isOther = known !== null && (providerReference ?? known) !== known;
  return isOther ? 'other_reference' : null;
}
