/** Deliveries in progress by fairness key. */
export type InFlight = Map<string, number>;

/** Increments or decrements; removes zero counts. */
export function add(counts: InFlight, holder: string, change: 1 | -1): void {
  const count = (counts.get(holder) ?? 0) + change;
  if (count > 0) counts.set(holder, count);
  else counts.delete(holder);
}
