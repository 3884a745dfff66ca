import { RoundRobin } from './round-robin.js';

interface Limits {
  /** Maximum running at once. */
  readonly max: number;
  /** Maximum running for one key; half of `max` is then for keys without any. */
  readonly perKey?: number;
  /** Maximum waiting; none by default. */
  readonly queue?: number;
}

/** Releases a slot; the second call does nothing. */
type Release = () => void;

interface Waiting {
  readonly key: string;
  /** Without a slot, the waiter was evicted. */
  readonly decide: (release?: Release) => void;
}

/** Limits concurrent work, in total and per key. A queue is fair between keys: no key can fill it. */
export class Bulkhead {
  private readonly held = new Map<string, number>();
  private readonly queue = new RoundRobin<Waiting>();
  private all = 0;

  constructor(private readonly limits: Limits) {}

  get running(): number {
    return this.all;
  }

  get waiting(): number {
    return this.queue.size;
  }

  /** @returns undefined if no slot is free for the key */
  tryEnter(key: string): Release | undefined {
    return this.hasSlot(key) ? this.take(key) : undefined;
  }

  /** Waits for a slot. @returns undefined if the queue is full */
  async enter(key: string): Promise<Release | undefined> {
    const release = this.tryEnter(key);
    if (release) return release;
    const isFull = this.waiting >= (this.limits.queue ?? 0);
    if (isFull && !this.queue.makeRoom(key, ({ decide }) => decide())) return undefined;
    return new Promise((decide) => this.queue.add(key, { key, decide }));
  }

  private hasSlot(key: string): boolean {
    const { max, perKey } = this.limits;
    if (this.all >= max) return false;
    const held = this.held.get(key) ?? 0;
    return perKey === undefined || held === 0 || (held < perKey && this.all < max / 2);
  }

  private take(key: string): Release {
    this.count(key, 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.count(key, -1);
      const next = this.queue.take((waiting) => this.hasSlot(waiting.key));
      next?.decide(this.take(next.key));
    };
  }

  private count(key: string, change: 1 | -1): void {
    this.all += change;
    const held = (this.held.get(key) ?? 0) + change;
    if (held > 0) this.held.set(key, held);
    else this.held.delete(key);
  }
}
