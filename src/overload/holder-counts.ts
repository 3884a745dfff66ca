/** Counts per fairness key up to a limit. */
export class HolderCounts {
  private readonly counts = new Map<string, number>();

  constructor(private readonly limit: number) {}

  has(holder: string): boolean {
    return this.counts.has(holder);
  }

  /** @param share weight of one use */
  isFull(holder: string, share = 1): boolean {
    return (this.counts.get(holder) ?? 0) + share > this.limit;
  }

  /** @returns releases it; must be called once */
  take(holder: string, share = 1): () => void {
    this.counts.set(holder, (this.counts.get(holder) ?? 0) + share);
    return () => {
      const left = (this.counts.get(holder) ?? 0) - share;
      if (left > 0) this.counts.set(holder, left);
      else this.counts.delete(holder);
    };
  }
}
