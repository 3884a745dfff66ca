/**
 * Planner settings. Statements are short, so JIT compilation takes longer than it saves. Each statement has an index,
 * so sequential scans are off: a cached plan from a nearly empty table must not scan the table once it has grown. A
 * server notices that a minute later, the embedded database never, because it has no autovacuum.
 */
export const PLANNING: readonly string[] = ['-c', 'jit=off', '-c', 'enable_seqscan=off'];
