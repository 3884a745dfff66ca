import { Turns } from './turns.js';

/** Whoever waits is told whether the place is his, or he has given way to somebody else. */
interface Waiting {
  readonly holder: string;
  tell(isMine: boolean): void;
}

/** Places for work. Who waits for one is let in by turns of the holders, of whom none fills the line. */
export class FairLine {
  private taken = 0;
  private readonly line = new Turns<Waiting>();

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
    if (this.waiting >= this.max.waiting && !this.makeRoom(holder)) return false;
    return new Promise((tell) => this.line.add(holder, { holder, tell }));
  }

  /** The place is the next one's. */
  leave(): void {
    const next = this.line.take();
    if (next) next.tell(true);
    else this.taken--;
  }

  /** The last of the holder who has most in the line gives way to somebody who has less. */
  private makeRoom(holder: string): boolean {
    const most = this.line.longest();
    const last = most.at(-1);
    if (!last || most.length <= this.line.of(holder).length + 1) return false;
    this.line.remove(last.holder, last);
    last.tell(false);
    return true;
  }
}
