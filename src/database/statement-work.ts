import type { Work } from '../overload/connection-limiter.js';
import type { Statement } from './database.js';

/** Keywords of statements that write or lock. */
const WRITES = /\b(INSERT|UPDATE|DELETE|MERGE|LOCK)\b/;

const works = new WeakMap<Statement, Work>();

/** Whether the statement counts as a write; found once per statement. */
export function workOf(statement: Statement): Work {
  const known = works.get(statement);
  if (known) return known;
  const work = WRITES.test(statement.text) ? 'write' : 'read';
  works.set(statement, work);
  return work;
}
