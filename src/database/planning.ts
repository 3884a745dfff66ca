/**
 * How the server plans. Statements here are short: to compile one takes longer than it ever saves. And
 * each has its index: a plan that was made while a table was nearly empty, and is kept, must not read it
 * from end to end when it has grown, which the server finds out a minute later, and the embedded
 * database never, for it has no autovacuum.
 */
export const PLANNING: readonly string[] = ['-c', 'jit=off', '-c', 'enable_seqscan=off'];
