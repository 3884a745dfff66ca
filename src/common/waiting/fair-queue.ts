import { RoundRobin } from './round-robin.js';

/** Called with whether the waiter gets the slot, or was evicted. */
type Decide = (isMine: boolean) => void;

/** Slots with a queue that is fair between keys: no key can fill the queue. */
export class FairQueue {
  private taken = 0;
  private readonly queue = new RoundRobin<Decide>();

  constructor(private readonly max: { readonly atOnce: number; readonly waiting: number }) {}

  get running(): number {
    return this.taken;
  }

  get waiting(): number {
    return this.queue.size;
  }

  /** @returns whether a slot was acquired, which `leave` releases; false if the queue is full */
  async enter(holder: string): Promise<boolean> {
    if (this.taken < this.max.atOnce) return ++this.taken > 0;
    const isFull = this.waiting >= this.max.waiting;
    if (isFull && !this.queue.makeRoom(holder, (decide) => decide(false))) return false;
    return new Promise((decide) => this.queue.add(holder, decide));
  }

  /** Hands the slot to the next waiter. */
  leave(): void {
    const next = this.queue.take();
    if (next) next(true);
    else this.taken--;
  }
}
