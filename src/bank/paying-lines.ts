import type { KnownOrder } from '../database/bank/matching.repository.js';

/** A line that pays, as far as was seen without locks, and the orders that it pays. */
export interface PayingLine {
  readonly id: string;
  readonly orders: readonly KnownOrder[];
}

/**
 * Groups of lines to book together, none of which names an order twice: a line is decided with the order as those
 * before it have left it.
 * @param max lines of a group
 */
export function groupsOf(lines: readonly PayingLine[], max: number): PayingLine[][] {
  const groups: PayingLine[][] = [];
  let group: PayingLine[] = [];
  let named = new Set<string>();
  for (const line of lines) {
    if (group.length === max || line.orders.some(({ txid }) => named.has(txid))) {
      groups.push(group);
      group = [];
      named = new Set();
    }
    group.push(line);
    line.orders.forEach(({ txid }) => void named.add(txid));
  }
  if (group.length > 0) groups.push(group);
  return groups;
}
