import type { FairnessKey } from './round-robin.js';

/** Shorter work is not counted. */
const SLOW_MS = 2;
/** Slow work, in milliseconds, after which a key is limited. */
export const FREE_MS = 50;
/** Slow work forgiven per millisecond. */
const EARNED = 0.05;
/** Maximum keys in memory; the least recently used are evicted. */
const HOLDERS_MAX = 10_000;
/** One of this many slots of the limiter is for limited keys. */
const PLACES_EACH = 4;

interface Use {
  /** Milliseconds of slow work, less the forgiven part… */
  readonly ms: number;
  /** … until this time. */
  readonly at: number;
}

/** Maximum counted work, which bounds how long a key stays limited. */
const OWED_MAX_MS = 600;
/** Pause of a slot per millisecond of its use… */
const REST = 2;
/** … and its maximum, in milliseconds. */
const REST_MAX_MS = 1_000;

/**
 * Limits fairness keys whose recent work was slow. All of them share a quarter of the slots, and each slot then pauses
 * for twice as long as it was used. So slow work takes at most a twelfth of the limiter's time, regardless of
 * the number of keys. One slot is for keys whose recent work was all fast: new keys may be slow.
 */
export class HeavyUse {
  private readonly uses = new Map<string, Use>();
  private readonly places: number;
  /** Slots of limited keys in use or pausing. */
  private taken = 0;
  /** Slots of keys that are new, or had slow work lately. */
  private unproven = 0;
  private readonly unprovenMax: number;

  /** @param onFree called when a slot of limited keys becomes free */
  constructor(
    size: number,
    private readonly onFree: () => void,
  ) {
    this.places = Math.max(1, Math.floor(size / PLACES_EACH));
    this.unprovenMax = Math.max(1, size - 1);
  }

  /** Whether the key has to wait for a slot of its kind. */
  isShut(whose: string): boolean {
    if (this.taken >= this.places && this.isLimited(whose)) return true;
    return this.unproven >= this.unprovenMax && !this.isProven(whose);
  }

  /** @returns a function to call when the work has ended */
  begin(whose: FairnessKey): () => void {
    const since = performance.now();
    if (whose === undefined) return () => {};
    const isProven = this.isProven(whose);
    const isLimited = this.isLimited(whose);
    if (!isProven) this.unproven++;
    if (isLimited) this.taken++;
    return () => {
      const ms = performance.now() - since;
      this.note(whose, ms > SLOW_MS ? ms : 0);
      if (!isProven) this.unproven--;
      if (isLimited) setTimeout(() => this.free(), Math.min(ms * REST, REST_MAX_MS)).unref();
    };
  }

  private free(): void {
    this.taken--;
    this.onFree();
  }

  private isLimited(whose: string): boolean {
    return this.owed(whose) > FREE_MS;
  }

  private isProven(whose: string): boolean {
    return this.uses.has(whose) && this.owed(whose) === 0;
  }

  private owed(whose: string): number {
    const use = this.uses.get(whose);
    return use ? Math.max(0, use.ms - (performance.now() - use.at) * EARNED) : 0;
  }

  private note(whose: string, ms: number): void {
    const owed = Math.min(OWED_MAX_MS, this.owed(whose) + ms);
    this.uses.delete(whose);
    this.uses.set(whose, { ms: owed, at: performance.now() });
    if (this.uses.size > HOLDERS_MAX) this.uses.delete(this.uses.keys().next().value!);
  }
}
