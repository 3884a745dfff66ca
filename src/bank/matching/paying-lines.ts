import type { KnownOrder } from '../../database/bank/matching/matching.repository.js';

/** A line that pays orders, as decided without locks. */
export interface PayingLine {
  readonly id: string;
  readonly orders: readonly KnownOrder[];
}

/**
 * Groups lines to book together. No group has an order twice, since a line is decided on the state that earlier lines
 * left.
 * @param max lines per group
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
