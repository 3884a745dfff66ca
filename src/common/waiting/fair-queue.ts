import { RoundRobin } from './round-robin.js';

/** Tells who waits whether the place is his, or he has given way to somebody else. */
type Decide = (isMine: boolean) => void;

/** Places for work. Who waits for one is let in by turns of the holders, of whom none fills the queue. */
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

  /** @returns whether there is a place, which `leave` gives back; false when too many wait */
  async enter(holder: string): Promise<boolean> {
    if (this.taken < this.max.atOnce) return ++this.taken > 0;
    const isFull = this.waiting >= this.max.waiting;
    if (isFull && !this.queue.makeRoom(holder, (decide) => decide(false))) return false;
    return new Promise((decide) => this.queue.add(holder, decide));
  }

  /** The place is the next one's. */
  leave(): void {
    const next = this.queue.take();
    if (next) next(true);
    else this.taken--;
  }
}
