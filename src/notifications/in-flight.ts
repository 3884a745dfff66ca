/** How many deliveries are under way, by whoever has them. */
export type InFlight = Map<string, number>;

/** One more, or one less; who has none is not kept. */
export function add(counts: InFlight, holder: string, change: 1 | -1): void {
  const count = (counts.get(holder) ?? 0) + change;
  if (count > 0) counts.set(holder, count);
  else counts.delete(holder);
}
