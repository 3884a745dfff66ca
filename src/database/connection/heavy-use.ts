import type { Holder } from '../../common/waiting/round-robin.js';

/** Work that takes no longer counts for nothing: it is slow because others are, and its holder would pay for them. */
const SLOW_MS = 250;
/** Milliseconds of slow work that a holder may have had and not made good yet. */
export const FREE_MS = 500;
/** What is made good of it in each millisecond that passes. */
const EARNED = 0.05;
/** Holders that are remembered at most; the longest known go first. */
const HOLDERS_MAX = 10_000;

interface Use {
  /** Milliseconds of slow work that were not made good… */
  readonly ms: number;
  /** … at this time. */
  readonly at: number;
}

/** No more is owed: so long after its last work a holder is like any other. */
const OWED_MAX_MS = 4 * FREE_MS;
/** Milliseconds that the place of the heavy ones rests at most. */
const REST_MAX_MS = 1_000;

/**
 * Who had much slow work lately. All such holders together have one place, which then rests for as long as it was
 * taken: so slow work takes half of one connection's time, whoever asks for how much of it.
 */
export class HeavyUse {
  private readonly uses = new Map<Holder, Use>();
  /** Whether the place of the heavy ones is taken, or rests. */
  private isTaken = false;

  /** @param onFree hears that the place of the heavy ones is free again */
  constructor(private readonly onFree: () => void) {}

  /** Whether the holder has to wait for the place of the heavy ones. */
  isShut(whose: Holder): boolean {
    return this.isTaken && this.isHeavy(whose);
  }

  /** @returns to be called when the work of the holder has ended */
  begin(whose: Holder): () => void {
    const since = performance.now();
    const isHeavy = this.isHeavy(whose);
    if (isHeavy) this.isTaken = true;
    return () => {
      const ms = performance.now() - since;
      if (whose !== undefined && ms > SLOW_MS) this.note(whose, ms);
      if (isHeavy) setTimeout(() => this.free(), Math.min(ms, REST_MAX_MS)).unref();
    };
  }

  private free(): void {
    this.isTaken = false;
    this.onFree();
  }

  private isHeavy(whose: Holder): boolean {
    return this.owed(whose) > FREE_MS;
  }

  private owed(whose: Holder): number {
    const use = this.uses.get(whose);
    return use ? Math.max(0, use.ms - (performance.now() - use.at) * EARNED) : 0;
  }

  private note(whose: string, ms: number): void {
    const owed = Math.min(OWED_MAX_MS, this.owed(whose) + ms);
    this.uses.delete(whose);
    this.uses.set(whose, { ms: owed, at: performance.now() });
    if (this.uses.size > HOLDERS_MAX) this.uses.delete(this.uses.keys().next().value);
  }
}
