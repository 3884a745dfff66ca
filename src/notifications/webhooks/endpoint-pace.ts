/** Deliveries under way at one endpoint: at first, and while it answers fast. */
const FIRST = 4;
const MOST = 16;
/** An answer within so many milliseconds is a fast one. */
const FAST_MS = 100;
/** Endpoints that are remembered. */
const KEPT_MAX = 100;

/** How many deliveries each endpoint gets at once: one more after each fast answer, half after another. */
export class EndpointPace {
  static readonly first = FIRST;
  private readonly faster = new Map<string, number>();

  /** Those that get more than others. */
  get all(): ReadonlyMap<string, number> {
    return this.faster;
  }

  answered(endpointId: string, { succeeded, durationMs }: Answered): void {
    const now = this.faster.get(endpointId) ?? FIRST;
    const next = succeeded && durationMs < FAST_MS ? Math.min(now + 1, MOST) : now >> 1;
    this.faster.delete(endpointId);
    if (next > FIRST) this.faster.set(endpointId, next);
    if (this.faster.size > KEPT_MAX) this.faster.delete(this.faster.keys().next().value!);
  }
}

interface Answered {
  readonly succeeded: boolean;
  readonly durationMs: number;
}
