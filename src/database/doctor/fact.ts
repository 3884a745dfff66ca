/** Something about the rows that must always be true, and the question that finds where it is not. */
export interface Fact {
  /** Stable: logs and alarms are found by it. */
  readonly name: string;
  /** One sentence for a person. */
  readonly says: string;
  /**
   * Selects `"merchantId"`, `subject` and `detail` of each violation; no row when all is well. The
   * relation `clock` has the present time as `now`. Tables are read as a whole, each once: nothing is
   * looked up row by row but by an index.
   */
  readonly sql: string;
  /** True only while some process does the work that is due. */
  readonly isOverdue?: true;
}

/** One place where a fact does not hold. */
export interface Violation {
  /** Null where no merchant is concerned. */
  readonly merchantId: string | null;
  /** What is wrong, such as `order 019…`. */
  readonly subject: string;
  /** Ids and amounts in minor units; nothing about people. */
  readonly detail: string;
}

/** What became of one fact. */
export interface Finding {
  readonly fact: Fact;
  /** All of them; 0 = the fact holds. */
  readonly total: number;
  /** The first of them. */
  readonly violations: readonly Violation[];
}

/** Violations of one fact that are told one by one. */
export const TOLD_MAX = 20;

/** A fact's violations, the first `TOLD_MAX` of them, each with how many there are; `$1` is now. */
export const questionOf = ({ sql }: Fact): string => `
  WITH clock AS (SELECT $1::timestamptz AS now)
  SELECT f."merchantId"::text, f.subject::text, f.detail::text, count(*) OVER ()::integer AS total
  FROM (${sql}) f ORDER BY f.subject LIMIT ${TOLD_MAX}`;
