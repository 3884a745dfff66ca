import type { OpenTransfer } from '../database/ledger/ledger.repository.js';
import type { TransferKind } from '../database/ledger/transfer.entity.js';
import type { PayoutLineKind } from '../database/payouts/payout-line.entity.js';
import type { NewLine } from '../database/payouts/payout.repository.js';

const KINDS: Partial<Record<TransferKind, PayoutLineKind>> = {
  payment: 'order',
  allocation: 'order',
  fee: 'fee',
  reversal: 'correction',
  charge_back: 'correction',
  deallocation: 'correction',
  refund_reserved: 'correction',
  refund_released: 'correction',
  refund_returned: 'correction',
};

/** Lines of a payout, and the transfers that are used up. */
export interface LinePlan {
  readonly lines: readonly NewLine[];
  readonly covered: readonly string[];
}

/** Open transfers of one order. */
interface OpenOrder {
  readonly net: number;
  readonly transfers: readonly OpenTransfer[];
}

/**
 * Splits an amount over open transfers. Deductions come first; then orders are paid in full with their fees, the oldest
 * first, and the last one in part.
 * @returns null if the open amount is too low
 */
export function planLines(open: readonly OpenTransfer[], amount: number): LinePlan | null {
  const orders = byOrder(open);
  const debts = orders.filter(({ net }) => net <= 0);
  const credits = orders.filter(({ net }) => net > 0);
  const taken: OpenTransfer[] = [];
  let left = amount;
  for (const order of [...debts, ...credits]) {
    if (left === 0 && order.net > 0) break;
    taken.push(...(order.net <= left ? order.transfers : partOf(order.transfers, left)));
    left -= Math.min(order.net, left);
  }
  if (left > 0) return null;
  const whole = new Map(open.map((transfer) => [transfer.id, transfer.amount]));
  return {
    lines: taken.map(lineOf),
    covered: taken.filter(({ id, amount: part }) => whole.get(id) === part).map(({ id }) => id),
  };
}

function byOrder(open: readonly OpenTransfer[]): OpenOrder[] {
  return [...Map.groupBy(open, ({ txid }) => txid).values()].map((transfers) => ({
    net: transfers.reduce((sum, { amount }) => sum + amount, 0),
    transfers,
  }));
}

/** Transfers of an order up to `amount` in total; deductions are never split. */
function partOf(transfers: readonly OpenTransfer[], amount: number): OpenTransfer[] {
  const off = transfers.filter((transfer) => transfer.amount < 0);
  let left = off.reduce((sum, transfer) => sum - transfer.amount, amount);
  const parts = [...off];
  for (const transfer of transfers) {
    const part = Math.min(transfer.amount, left);
    if (part <= 0) continue;
    parts.push({ ...transfer, amount: part });
    left -= part;
  }
  return parts;
}

function lineOf({ id, kind, txid, amount }: OpenTransfer): NewLine {
  const lineKind = KINDS[kind];
  if (!lineKind) throw new Error(`no payout pays a transfer of the kind ${kind}`);
  return { kind: lineKind, transferId: id, txid, amount };
}
