import type { Database, Statement } from './database.js';
import { columnRefs, parametersOf, valuesOf } from './entity-sql.js';
import type { Batcher } from '../overload/batcher.js';

/** Parts of a key, or their SQL. */
type Parts<Name extends string> = Readonly<Record<Name, string>>;

/** Statements that find a row by a key, and one row for each of several keys. */
export interface Lookup<Name extends string> {
  readonly parts: readonly Name[];
  readonly one: Statement;
  /** Takes keys as JSON; returns rows in the same order, NULLs for missing ones. */
  readonly each: Statement;
}

/**
 * @param types of the parts of a key
 * @param select SQL that finds the row first
 */
export function lookup<Name extends string>(
  name: string,
  types: Readonly<Record<Name, 'uuid' | 'text' | 'bytea'>>,
  select: (key: Parts<Name>) => string,
): Lookup<Name> {
  const parts = Object.keys(types) as Name[];
  const list = (sql: (part: Name) => string): string => parts.map(sql).join(', ');
  // LIMIT makes each row an index lookup regardless of statistics. The planner does not know the number of keys, so one
  // plan fits all: see decision 37.
  const first = (key: Parts<Name>): string => `${select(key)} LIMIT 1`;
  return {
    parts,
    one: { name, text: first(parametersOf(parts)) },
    each: {
      name: `${name}_each`,
      text: `SELECT found.*
        FROM ROWS FROM (json_to_recordset($1) AS (${list((part) => `"${part}" ${types[part]}`)}))
          WITH ORDINALITY AS input (${list((part) => `"${part}"`)}, place)
        LEFT JOIN LATERAL (${first(columnRefs('input', parts))}) found ON true
        ORDER BY input.place`,
    },
  };
}

/**
 * The rows of several keys in one statement; null for missing ones.
 * @param identity a property that is never null in a row
 */
export async function lookUp<Name extends string, Key extends Parts<Name>, Row extends object>(
  database: Database,
  { parts, one, each }: Lookup<Name>,
  identity: keyof Row,
  keys: readonly Key[],
): Promise<(Row | null)[]> {
  if (keys.length === 1) {
    const [row = null] = await database.query<Row>(one, valuesOf(parts, keys[0]!));
    return [row];
  }
  const rows = await database.query<Row>(each, [JSON.stringify(keys)]);
  return rows.map((row) => (row[identity] === null ? null : row));
}

/** The same, batched over concurrent callers. */
export const gatheredLookup = <Name extends string, Key extends Parts<Name>, Row extends object>(
  database: Database,
  statements: Lookup<Name>,
  identity: keyof Row,
): Batcher<Key, Row | null> =>
  database.batcher(statements.one.name, (keys) => lookUp(database, statements, identity, keys));
