/** Owner of an item; undefined without an owner. */
export type FairnessKey = string | undefined;

/** Queue that is fair between keys: FIFO per key, keys in rotation. */
export class RoundRobin<T> {
  /** Sorted by turn. */
  private readonly queues = new Map<FairnessKey, T[]>();
  private count = 0;

  get size(): number {
    return this.count;
  }

  /** Items of a key. */
  of(holder: FairnessKey): readonly T[] {
    return this.queues.get(holder) ?? [];
  }

  [Symbol.iterator](): IterableIterator<T> {
    return [...this.queues.values()].flat().values();
  }

  add(holder: FairnessKey, item: T): void {
    const queue = this.queues.get(holder);
    if (queue) queue.push(item);
    else this.queues.set(holder, [item]);
    this.count++;
  }

  /** Removes a waiting item. */
  remove(holder: FairnessKey, item: T): void {
    const queue = this.queues.get(holder) ?? [];
    const at = queue.indexOf(item);
    if (at < 0) return;
    queue.splice(at, 1);
    this.count--;
    if (queue.length === 0) this.queues.delete(holder);
  }

  /**
   * Takes the first allowed item in key order; its key then moves to the end.
   * @param may whether the item may be taken now
   */
  take(may: (item: T, holder: FairnessKey) => boolean = () => true): T | undefined {
    for (const [holder, queue] of this.queues) {
      const item = queue.find((one) => may(one, holder));
      if (item === undefined) continue;
      this.remove(holder, item);
      if (this.queues.delete(holder)) this.queues.set(holder, queue);
      return item;
    }
    return undefined;
  }

  /**
   * Evicts the newest item of the longest queue if that queue stays longer than the new item's. Items without a key are
   * never evicted.
   * @param reject called with the evicted item
   * @param counted whether an item counts for the comparison
   * @returns whether there is room now
   */
  makeRoom(
    coming: FairnessKey,
    reject: (last: T) => void,
    counted: (item: T) => boolean = () => true,
  ): boolean {
    const own = this.of(coming).filter(counted).length;
    const [most] = [...this.queues]
      .map(([holder, queue]) => ({ holder, items: queue.filter(counted) }))
      .filter(({ holder, items }) => holder !== undefined && items.length > own + 1)
      .toSorted((a, b) => b.items.length - a.items.length);
    if (!most) return false;
    const last = most.items.at(-1)!;
    this.remove(most.holder, last);
    reject(last);
    return true;
  }
}
