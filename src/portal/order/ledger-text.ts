import type { Account, Transfer, TransferKind } from '../../database/ledger/transfer.entity.js';
import type { PageTransfer } from '../../database/orders/order-page.repository.js';
import type { Order } from '../../database/orders/order.entity.js';
import { plainText, moneyText } from '../kit/order-text.js';

/** What an order's payments can cause. */
const LABELS: Partial<Record<TransferKind, string>> = {
  payment: 'Payment of the order',
  unallocated: 'Arrived and kept apart',
  allocation: 'Kept apart before, now part of the payment',
  fee: 'Fee',
  refund: 'Sent back to the payer',
  charge_back: 'Taken back',
  unallocated_back: 'Taken back of what was kept apart',
  return_undone: 'Not taken back after all',
  deallocation: 'Kept apart again: the order is not paid any more',
};

const labelOf = (kind: TransferKind): string => LABELS[kind] ?? plainText(kind);

/** What a transfer is to people. */
export function transferText({ kind, reversedKind, note }: PageTransfer): string {
  if (reversedKind !== null) return `${labelOf(reversedKind)}: taken back. ${note ?? ''}`;
  return note === null ? labelOf(kind) : `${labelOf(kind)}. ${note}`;
}

const OWN: readonly Account[] = ['available', 'unallocated'];

/** Minor units as a merchant counts them: below 0 for what goes. */
export const changeBy = ({ debit, credit, amount }: Omit<Movement, 'currency'>): number =>
  OWN.includes(debit) && !OWN.includes(credit) ? -amount : amount;

/** Money that no payout pays. */
export interface UnallocatedInOrder {
  readonly amount: number;
  readonly currency: string;
}

type Movement = Pick<Transfer, 'debit' | 'credit' | 'amount' | 'currency'>;

/** What is still kept apart of what arrived for an order, by currency. */
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

/** Parts of the price wait for the rest; all else waits for a person. */
export function unallocatedText(
  order: Pick<Order, 'status' | 'currency'>,
  { amount, currency }: UnallocatedInOrder,
): string {
  const money = moneyText(amount, currency);
  const isInItsCurrency = currency === order.currency;
  if (isInItsCurrency && (order.status === 'open' || order.status === 'processing')) {
    return `${money} has arrived. It is kept apart until the order is paid in full.`;
  }
  return isInItsCurrency && order.status === 'paid'
    ? `${money} is more than the order asks for. It is kept apart, and no payout pays it.`
    : `${money} arrived that no paid order explains. It is kept apart, and no payout pays it.`;
}
