/** Deliveries under way at one endpoint: at first, and while it answers fast. */
const FIRST = 4;
const MOST = 16;
/** An answer within so many milliseconds is a fast one. */
const FAST_MS = 100;
/** An attempt of so many milliseconds or more is a slow one, whatever came of it. */
const SLOW_MS = 1_000;
/** Milliseconds for which whoever asks for patience is left in peace at most, whatever waits for it. */
const REST_MAX_MS = 60_000;
/** More than any endpoint gets. */
const ALL = 1_000;
/** Endpoints that are remembered. */
const FASTER_MAX = 100;
const SLOW_MAX = 1_000;

/**
 * How many deliveries each endpoint gets at once: one more after each fast answer, half after
 * another. Whose last attempt was slow: those share the places of endpoints that fail. And who
 * asked for patience: those get nothing until then.
 */
export class EndpointPace {
  static readonly first = FIRST;
  private readonly places = new Map<string, number>();
  private readonly slowOnes = new Set<string>();
  private readonly rests = new Map<string, number>();

  /** Those that get more than others. */
  get faster(): ReadonlyMap<string, number> {
    return this.places;
  }

  get slow(): ReadonlySet<string> {
    return this.slowOnes;
  }

  /** Those that are left in peace at `now`, as if they had more under way than they get. */
  resting(now: Date): ReadonlyMap<string, number> {
    const resting = [...this.rests].filter(([, until]) => until > now.getTime());
    return new Map(resting.map(([id]) => [id, ALL]));
  }

  rest(endpointId: string, until: Date, now: Date): void {
    this.rests.delete(endpointId);
    this.rests.set(endpointId, Math.min(until.getTime(), now.getTime() + REST_MAX_MS));
    forgetOldest(this.rests, SLOW_MAX);
  }

  answered(endpointId: string, { succeeded, durationMs }: Answered): void {
    const now = this.places.get(endpointId) ?? FIRST;
    const next = succeeded && durationMs < FAST_MS ? Math.min(now + 1, MOST) : now >> 1;
    this.places.delete(endpointId);
    if (next > FIRST) this.places.set(endpointId, next);
    this.slowOnes.delete(endpointId);
    if (durationMs >= SLOW_MS) this.slowOnes.add(endpointId);
    forgetOldest(this.places, FASTER_MAX);
    forgetOldest(this.slowOnes, SLOW_MAX);
  }
}

function forgetOldest(kept: Map<string, unknown> | Set<string>, most: number): void {
  if (kept.size > most) kept.delete(kept.keys().next().value!);
}

interface Answered {
  readonly succeeded: boolean;
  readonly durationMs: number;
}
