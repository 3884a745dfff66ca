/** Concurrent deliveries per endpoint: initially, and the maximum while it answers fast. */
const FIRST = 4;
const MOST = 16;
/** Milliseconds up to which an answer is fast. */
const FAST_MS = 100;
/** Milliseconds from which an attempt is slow, whatever its result. */
const SLOW_MS = 1_000;
/** Maximum pause in milliseconds after a `Retry-After`. */
const REST_MAX_MS = 60_000;
/** More than any endpoint gets. */
const ALL = 1_000;
/** Maximum tracked endpoints. */
const FASTER_MAX = 100;
const SLOW_MAX = 1_000;

/**
 * Adaptive concurrency per endpoint: plus one after a fast answer, halved after any other. Slow endpoints share the
 * slots of failing ones. Endpoints that sent `Retry-After` get none until then.
 */
export class EndpointConcurrency {
  static readonly first = FIRST;
  private readonly places = new Map<string, number>();
  private readonly slowOnes = new Set<string>();
  private readonly rests = new Map<string, number>();

  /** Endpoints with more slots than the default. */
  get faster(): ReadonlyMap<string, number> {
    return this.places;
  }

  get slow(): ReadonlySet<string> {
    return this.slowOnes;
  }

  /** Endpoints that pause at `now`, as if all their slots were in use. */
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
