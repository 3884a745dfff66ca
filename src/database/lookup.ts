import type { Database, Statement } from './database.js';
import { membersOf, parametersOf, valuesOf } from './entity-sql.js';
import type { Gathered } from './gathered.js';

/** The parts of a key, or what they are called in a statement. */
type Parts<Name extends string> = Readonly<Record<Name, string>>;

/** Looks a row up by a key, and a row for each of some keys. */
export interface Lookup<Name extends string> {
  readonly parts: readonly Name[];
  readonly one: Statement;
  /** Takes the keys as JSON; its rows are in their order, of NULLs where there is none. */
  readonly each: Statement;
}

/**
 * @param types of the parts of a key
 * @param select finds the row, before others that it may find
 */
export function lookup<Name extends string>(
  name: string,
  types: Readonly<Record<Name, 'uuid' | 'text' | 'bytea'>>,
  select: (key: Parts<Name>) => string,
): Lookup<Name> {
  const parts = Object.keys(types) as Name[];
  const list = (sql: (part: Name) => string): string => parts.map(sql).join(', ');
  // The limit keeps each row a look-up by index, whatever the planner knows of the table. It knows
  // nothing of the number of keys, and so it makes one plan for any: see decision 37.
  const first = (key: Parts<Name>): string => `${select(key)} LIMIT 1`;
  return {
    parts,
    one: { name, text: first(parametersOf(parts)) },
    each: {
      name: `${name}_each`,
      text: `SELECT found.*
        FROM ROWS FROM (json_to_recordset($1) AS (${list((part) => `"${part}" ${types[part]}`)}))
          WITH ORDINALITY AS asked (${list((part) => `"${part}"`)}, place)
        LEFT JOIN LATERAL (${first(membersOf('asked', parts))}) found ON true
        ORDER BY asked.place`,
    },
  };
}

/**
 * The rows of some keys, in one statement; null where there is none.
 * @param identity what no row is without
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

/** The same for many callers, who go together. */
export const gatheredLookup = <Name extends string, Key extends Parts<Name>, Row extends object>(
  database: Database,
  asked: Lookup<Name>,
  identity: keyof Row,
): Gathered<Key, Row | null> =>
  database.gathered(asked.one.name, (keys) => lookUp(database, asked, identity, keys));
