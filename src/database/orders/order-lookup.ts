import type { Database, Statement } from '../database.js';
import { parametersOf, valuesOf } from '../entity-sql.js';
import type { Gathered } from '../gathered.js';

/** The parts of a key, or what they are called in a statement. */
type Parts<Name extends string> = Readonly<Record<Name, string>>;

/** Looks an order up by a key, and an order for each of some keys. */
export interface Lookup<Name extends string> {
  readonly parts: readonly Name[];
  readonly one: Statement;
  /** Takes the keys as JSON; its rows are in their order, of NULLs where there is no order. */
  readonly each: Statement;
}

/**
 * @param types of the parts of a key
 * @param select finds the order, before others that it may find; `txid` is among its columns
 */
export function lookup<Name extends string>(
  name: string,
  types: Readonly<Record<Name, 'uuid' | 'text'>>,
  select: (key: Parts<Name>) => string,
): Lookup<Name> {
  const parts = Object.keys(types) as Name[];
  const list = (sql: (part: Name) => string): string => parts.map(sql).join(', ');
  const asked = Object.fromEntries(parts.map((part) => [part, `asked."${part}"`])) as Parts<Name>;
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
        LEFT JOIN LATERAL (${first(asked)}) found ON true
        ORDER BY asked.place`,
    },
  };
}

/** The look-ups of many callers, which go together; null where there is no order. */
export function gatheredLookup<
  Name extends string,
  Key extends Parts<Name>,
  Row extends { readonly txid: string | null },
>(database: Database, { parts, one, each }: Lookup<Name>): Gathered<Key, Row | null> {
  return database.gathered(one.name, async (keys) => {
    if (keys.length === 1) {
      const [row = null] = await database.query<Row>(one, valuesOf(parts, keys[0]!));
      return [row];
    }
    const rows = await database.query<Row>(each, [JSON.stringify(keys)]);
    return rows.map((row) => (row.txid === null ? null : row));
  });
}
