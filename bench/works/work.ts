import type { Side } from '../sides/side.js';
import type { Supplies } from '../sides/supplies.js';

/** A side with everything that the works ask it for. */
export interface Furnished {
  readonly side: Side;
  readonly supplies: Supplies;
}

/** The requests of one rush. */
export interface Errand {
  /** As bytes. */
  readonly requests: readonly string[];
  /** Whether they may be sent again and again. */
  readonly circular: boolean;
  /** What is left to do once so many were answered; it counts as part of the rush. */
  readonly finish?: (answered: number) => Promise<void>;
}

/** What somebody wants of the service, asked of the twin in the same words. */
export interface Work {
  readonly name: string;
  /** The status of every right answer. */
  readonly expected: number;
  /** Whether the quick bench has it. */
  readonly isMain?: boolean;
  /** @param count requests that are more than enough */
  errand(furnished: Furnished, count: number): Errand | Promise<Errand>;
}
