import type { Account, Transfer, TransferKind } from '../../database/ledger/transfer.entity.js';
import type { PageTransfer } from '../../database/orders/order-page.repository.js';
import type { Order } from '../../database/orders/order.entity.js';
import { plainText, moneyText } from '../kit/order-text.js';

/** Ledger transfers caused by payments of an order. */
const LABELS: Partial<Record<TransferKind, string>> = {
  payment: 'Payment of the order',
  unallocated: 'Received as unallocated funds',
  allocation: 'Unallocated funds applied to the order',
  fee: 'Fee',
  refund: 'Refunded to the payer',
  refund_reserved: 'Reserved for a refund',
  refund_released: 'Refund ended without payment',
  refund_paid: 'Refunded to the payer',
  refund_returned: 'Refund returned by the payer’s bank',
  charge_back: 'Charged back',
  unallocated_back: 'Unallocated funds charged back',
  return_undone: 'Chargeback undone',
  deallocation: 'Returned to unallocated funds: the order is no longer paid',
};

const labelOf = (kind: TransferKind): string => LABELS[kind] ?? plainText(kind);

/** Describes a transfer. */
export function transferText({ kind, reversedKind, note }: PageTransfer): string {
  if (reversedKind !== null) return `${labelOf(reversedKind)}: reversed. ${note ?? ''}`;
  return note === null ? labelOf(kind) : `${labelOf(kind)}. ${note}`;
}

const OWN: readonly Account[] = ['available', 'unallocated'];

/** Minor units from the merchant's view: negative for outgoing amounts. */
export function changeBy({ debit, credit, amount }: Omit<Movement, 'currency'>): number {
  if (OWN.includes(credit)) return amount;
  return OWN.includes(debit) ? -amount : 0;
}

/** Unallocated funds of one order, excluded from payouts. */
export interface UnallocatedInOrder {
  readonly amount: number;
  readonly currency: string;
}

type Movement = Pick<Transfer, 'debit' | 'credit' | 'amount' | 'currency'>;

/** Remaining unallocated funds of an order, by currency. */
export function unallocatedIn(transfers: readonly Movement[]): UnallocatedInOrder[] {
  const sums = new Map<string, number>();
  for (const { debit, credit, amount, currency } of transfers) {
    const change = credit === 'unallocated' ? amount : debit === 'unallocated' ? -amount : 0;
    sums.set(currency, (sums.get(currency) ?? 0) + change);
  }
  return [...sums]
    .map(([currency, amount]) => ({ currency, amount }))
    .filter(({ amount }) => amount !== 0);
}

/** Partial payments wait for the rest; all other unallocated funds need attention. */
export function unallocatedText(
  order: Pick<Order, 'status' | 'currency'>,
  { amount, currency }: UnallocatedInOrder,
): string {
  const money = moneyText(amount, currency);
  const isInItsCurrency = currency === order.currency;
  if (isInItsCurrency && (order.status === 'open' || order.status === 'processing')) {
    return `${money} received. Unallocated until the order is paid in full.`;
  }
  return isInItsCurrency && order.status === 'paid'
    ? `${money} exceeds the order amount. These funds are unallocated and excluded from payouts.`
    : `${money} was received that does not match a paid order. These funds are unallocated and excluded from payouts.`;
}
