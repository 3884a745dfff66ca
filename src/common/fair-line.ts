import { Turns } from './turns.js';

/** Tells who waits whether the place is his, or he has given way to somebody else. */
type Tell = (isMine: boolean) => void;

/** Places for work. Who waits for one is let in by turns of the holders, of whom none fills the line. */
export class FairLine {
  private taken = 0;
  private readonly line = new Turns<Tell>();

  constructor(private readonly max: { readonly atOnce: number; readonly waiting: number }) {}

  get running(): number {
    return this.taken;
  }

  get waiting(): number {
    return this.line.size;
  }

  /** @returns whether there is a place, which `leave` gives back; false when too many wait */
  async enter(holder: string): Promise<boolean> {
    if (this.taken < this.max.atOnce) return ++this.taken > 0;
    const isFull = this.waiting >= this.max.waiting;
    if (isFull && !this.line.makeRoom(holder, (tell) => tell(false))) return false;
    return new Promise((tell) => this.line.add(holder, tell));
  }

  /** The place is the next one's. */
  leave(): void {
    const next = this.line.take();
    if (next) next(true);
    else this.taken--;
  }
}
