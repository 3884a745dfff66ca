interface Found<Value> {
  readonly value: Promise<Value>;
  /** Monotonic milliseconds; nobody knows before it is found. */
  until: number;
}

/**
 * What is looked up again after a while; who asks while it is looked up waits for the same look. That look is
 * made in the name of who came first: where it fails, maybe for having asked too much, the others look
 * for themselves.
 */
export class Kept<Value> {
  private readonly found = new Map<string, Found<Value>>();

  /**
   * @param lifeMs milliseconds for which a value is kept from when it was found; 0 = not at all
   * @param max values that are kept; one more, and all are forgotten
   */
  constructor(
    private readonly lifeMs: (value: Value) => number,
    private readonly max: number,
  ) {}

  /** What is not found is not kept either. */
  get(name: string, find: () => Promise<Value>): Promise<Value> {
    const known = this.found.get(name);
    if (!known || performance.now() >= known.until) return this.look(name, find);
    return known.value.catch(() => this.look(name, find));
  }

  private look(name: string, find: () => Promise<Value>): Promise<Value> {
    if (this.found.size >= this.max) this.found.clear();
    const looked: Found<Value> = { value: find(), until: Infinity };
    this.found.set(name, looked);
    const keep = (lifeMs: number): void => {
      looked.until = performance.now() + lifeMs;
      if (lifeMs === 0 && this.found.get(name) === looked) this.found.delete(name);
    };
    looked.value.then(
      (value) => keep(this.lifeMs(value)),
      () => keep(0),
    );
    return looked.value;
  }
}
