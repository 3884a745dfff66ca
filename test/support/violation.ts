import { randomUUID } from 'node:crypto';

/** A row like one that exists, with some columns different, and the rule that refuses it. */
export interface Violation {
  readonly rule: string;
  readonly table: string;
  readonly where: string;
  readonly change: Readonly<Record<string, unknown>>;
  readonly why: string;
}

export const NEW = { id: randomUUID(), txid: randomUUID() };
export const FOREIGN = randomUUID();
export const PAST = '2020-01-01T00:00:00Z';
export const HASH = `\\x${'ab'.repeat(32)}`;

/** The change, made to a copy under a new key, so that no other rule is in the way. */
export const violation = (
  rule: string,
  table: string,
  where: string,
  why: string,
  change: Readonly<Record<string, unknown>>,
): Violation => ({ rule, table, where, change, why });
