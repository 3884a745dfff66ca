/** A consistency check: an invariant of the stored rows, and the query that finds violations. */
export interface Fact {
  /** Stable name, used in logs and alerts. */
  readonly name: string;
  /** The invariant as one sentence for operators. */
  readonly description: string;
  /**
   * Selects `"merchantId"`, `subject` and `detail` of each violation. The relation `clock` has the current time as
   * `now`. Queries read each table once as a whole; lookups per row need an index.
   */
  readonly sql: string;
  /** Holds only while background jobs run. */
  readonly isOverdue?: true;
}

/** A violation of a check. */
export interface Violation {
  /** Null when it belongs to no merchant. */
  readonly merchantId: string | null;
  /** The inconsistent object, for example `order 019…`. */
  readonly subject: string;
  /** Ids and amounts in minor units; no personal data. */
  readonly detail: string;
}

/** Result of one check. */
export interface Finding {
  readonly fact: Fact;
  /** Number of all violations; 0 = passed. */
  readonly total: number;
  /** The first `TOLD_MAX` violations. */
  readonly violations: readonly Violation[];
}

/** Maximum listed violations per check. */
export const TOLD_MAX = 20;

/** Query of a check's first `TOLD_MAX` violations, each row with the total; `$1` = now. */
export const questionOf = ({ sql }: Fact): string => `
  WITH clock AS (SELECT $1::timestamptz AS now)
  SELECT f."merchantId"::text, f.subject::text, f.detail::text, count(*) OVER ()::integer AS total
  FROM (${sql}) f ORDER BY f.subject LIMIT ${TOLD_MAX}`;
