/** Places that are taken and given back: so many for one holder, and so many in all. */
export class SlotPool {
  private readonly held = new Map<string, number>();
  private all = 0;

  constructor(private readonly max: { readonly perHolder: number; readonly inAll: number }) {}

  /** Places that are taken. */
  get size(): number {
    return this.all;
  }

  /** @returns what gives the place back, or undefined when there is none for the holder */
  enter(holder: string): (() => void) | undefined {
    const held = this.held.get(holder) ?? 0;
    const { perHolder, inAll } = this.max;
    // The second half is for those who have none: few who are slow would have all of it.
    if (held >= perHolder || this.all >= inAll || (held > 0 && this.all >= inAll / 2)) {
      return undefined;
    }
    this.change(holder, 1);
    let isInside = true;
    return () => {
      if (isInside) this.change(holder, -1);
      isInside = false;
    };
  }

  private change(holder: string, by: 1 | -1): void {
    const held = (this.held.get(holder) ?? 0) + by;
    this.all += by;
    if (held > 0) this.held.set(holder, held);
    else this.held.delete(holder);
  }
}
