/** Slots with a limit per key and in total. */
export class SlotPool {
  private readonly held = new Map<string, number>();
  private all = 0;

  constructor(private readonly max: { readonly perHolder: number; readonly inAll: number }) {}

  /** Slots in use. */
  get size(): number {
    return this.all;
  }

  /** @returns releases the slot; undefined if none is available for the key */
  enter(holder: string): (() => void) | undefined {
    const held = this.held.get(holder) ?? 0;
    const { perHolder, inAll } = this.max;
    // The second half is reserved for keys without a slot, so that a few slow ones cannot take all.
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
