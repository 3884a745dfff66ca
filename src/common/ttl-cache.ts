interface Found<Value> {
  readonly value: Promise<Value>;
  /** Monotonic milliseconds; unknown until the value is found. */
  until: number;
}

/**
 * Cache with expiry. Concurrent calls share one lookup, which runs in the context of the first caller: if it fails,
 * perhaps by that caller's limits, the others retry themselves.
 */
export class TtlCache<Value> {
  private readonly found = new Map<string, Found<Value>>();

  /**
   * @param lifeMs milliseconds that a value is kept after it was found; 0 = not at all
   * @param max cached values; above it the cache is cleared
   */
  constructor(
    private readonly lifeMs: (value: Value) => number,
    private readonly max: number,
  ) {}

  /** Failed lookups are not cached. */
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
