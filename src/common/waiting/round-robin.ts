/** Whose something is; of nobody in particular, when undefined. */
export type Holder = string | undefined;

/** What waits: of each holder the oldest first, and the holders by turns. */
export class RoundRobin<T> {
  /** Whose turn it is stands first. */
  private readonly queues = new Map<Holder, T[]>();
  private count = 0;

  get size(): number {
    return this.count;
  }

  /** What waits for one holder. */
  of(holder: Holder): readonly T[] {
    return this.queues.get(holder) ?? [];
  }

  [Symbol.iterator](): IterableIterator<T> {
    return [...this.queues.values()].flat().values();
  }

  add(holder: Holder, item: T): void {
    const queue = this.queues.get(holder);
    if (queue) queue.push(item);
    else this.queues.set(holder, [item]);
    this.count++;
  }

  /** Waits no longer. */
  remove(holder: Holder, item: T): void {
    const queue = this.queues.get(holder) ?? [];
    const at = queue.indexOf(item);
    if (at < 0) return;
    queue.splice(at, 1);
    this.count--;
    if (queue.length === 0) this.queues.delete(holder);
  }

  /**
   * Takes the first that may of the first holder who has one; then it is the others' turn.
   * @param may whether it is to be taken now
   */
  take(may: (item: T, holder: Holder) => boolean = () => true): T | undefined {
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
   * Whoever has most here goes without the last of it for somebody who has less, even with what comes;
   * what is nobody's stays.
   * @param sendAway is told of it
   * @param counted what stands in the way of what comes
   * @returns whether there is room now
   */
  makeRoom(
    coming: Holder,
    sendAway: (last: T) => void,
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
    sendAway(last);
    return true;
  }
}
