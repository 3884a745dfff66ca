/**
 * SQL fragments for hot statements, generated from entity metadata. Columns are selected under their property names, so
 * that a row is an entity without mapping.
 */

import { type ColumnOptions, getMetadataArgsStorage } from 'typeorm';
import { memoize } from '../common/memoize.js';

type EntityClass<Entity> = new () => Entity;
type Property<Entity> = keyof Entity & string;
type Row = Readonly<Record<string, unknown>>;

const known = new WeakMap<object, ReadonlyMap<string, ColumnOptions>>();

/** An entity's columns by property, in order of declaration. */
function columns(entity: EntityClass<unknown>): ReadonlyMap<string, ColumnOptions> {
  const before = known.get(entity);
  if (before) return before;
  const own = getMetadataArgsStorage().filterColumns(entity);
  const found = new Map(own.map(({ propertyName, options }) => [propertyName, options]));
  known.set(entity, found);
  return found;
}

const columnOf = (entity: EntityClass<unknown>, property: string): string =>
  columns(entity).get(property)!.name ?? property;

/** Properties of all columns except those with `select: false`. */
export const readOf = <Entity>(entity: EntityClass<Entity>): Property<Entity>[] =>
  [...columns(entity)]
    .filter(([, { select }]) => select !== false)
    .map(([property]) => property as Property<Entity>);

/** `o.order_merchant_id AS "orderMerchantId", …` for all selected columns or the given ones, with a prefix. */
export const columnsOf = <Entity>(
  alias: string,
  entity: EntityClass<Entity>,
  properties: readonly Property<Entity>[] = readOf(entity),
  prefix = '',
): string =>
  properties
    .map((property) => `${alias}.${columnOf(entity, property)} AS "${prefix}${property}"`)
    .join(', ');

/** `jsonb_build_object('statusReason', p.status_reason, …)`. */
export const jsonOf = <Entity>(
  alias: string,
  entity: EntityClass<Entity>,
  properties: readonly Property<Entity>[],
): string => {
  const members = properties.map((name) => `'${name}', ${alias}.${columnOf(entity, name)}`);
  return `jsonb_build_object(${members.join(', ')})`;
};

/** Properties as written by `jsonOf`: times are strings. */
export type Json<Entity> = {
  readonly [Name in keyof Entity]: Entity[Name] extends Date | null
    ? Exclude<Entity[Name], Date> | string
    : Entity[Name];
};

/** Parses JSON of `jsonOf`; missing properties have their defaults. */
export const fromJson = <Entity, Name extends Property<Entity>>(
  entity: EntityClass<Entity>,
  properties: readonly Name[],
  json: Partial<Json<Pick<Entity, Name>>>,
): Pick<Entity, Name> =>
  Object.fromEntries(
    properties.map((name) => {
      const { type, default: first = null } = columns(entity).get(name)!;
      const value = json[name] ?? first;
      const isTime = type === 'timestamptz' && value !== null;
      return [name, isTime ? new Date(value as string) : value];
    }),
  ) as Pick<Entity, Name>;

/** Default values of columns. */
export const columnDefaults = <Entity>(entity: EntityClass<Entity>): Entity =>
  Object.fromEntries(
    readOf(entity).map((property) => [property, columns(entity).get(property)!.default ?? null]),
  ) as Entity;

/**
 * An INSERT of one row, or of rows from `source`, for example `FROM … ORDER BY …`. `values` is SQL; omitted properties
 * have their defaults.
 */
export function insertOf<Entity>(
  entity: EntityClass<Entity>,
  values: Readonly<Partial<Record<Property<Entity>, string>>>,
  source?: string,
): string {
  const table = getMetadataArgsStorage().filterTables(entity)[0]!.name!;
  const given = [...columns(entity).keys()].filter((property) => property in values);
  const sql = given.map((property) => values[property as Property<Entity>]).join(', ');
  return `INSERT INTO ${table} (${given.map((property) => columnOf(entity, property)).join(', ')})
    ${source === undefined ? `VALUES (${sql})` : `SELECT ${sql} ${source}`}`;
}

/** A named and typed input of a statement. */
interface Field {
  readonly name: string;
  readonly type: string;
}

/** Fields by property name, with a prefix. */
export const typesOf = <Entity>(
  entity: EntityClass<Entity>,
  properties: readonly Property<Entity>[],
  prefix = '',
): Field[] =>
  properties.map((property) => ({
    name: prefix + property,
    type: String(columns(entity).get(property)!.type),
  }));

/** `"orderMerchantId" text, …` for `json_to_recordset`. */
export const definitionsOf = (fields: readonly Field[]): string =>
  fields.map(({ name, type }) => `"${name}" ${type}`).join(', ');

/** The same by property names. */
export const recordOf = <Entity>(
  entity: EntityClass<Entity>,
  properties: readonly Property<Entity>[],
  prefix = '',
): string => definitionsOf(typesOf(entity, properties, prefix));

/** `$1::text AS "orderMerchantId", …` for one row. */
export const parameterRow = (fields: readonly Field[]): string =>
  fields.map(({ name, type }, i) => `$${i + 1}::${type} AS "${name}"`).join(', ');

/** `input."txid"`, … by name, with a prefix. */
export const columnRefs = <Name extends string>(
  record: string,
  names: readonly Name[],
  prefix = '',
): Readonly<Record<Name, string>> =>
  Object.fromEntries(names.map((name) => [name, `${record}."${prefix}${name}"`])) as Record<
    Name,
    string
  >;

/** `$1`, `$2`, … by name, starting after `after`. */
export const parametersOf = <Name extends string>(
  names: readonly Name[],
  after = 0,
): Readonly<Record<Name, string>> =>
  Object.fromEntries(names.map((name, i) => [name, `$${after + i + 1}`])) as Record<Name, string>;

/** The values of `parametersOf`. */
export const valuesOf = <Name extends string>(
  names: readonly Name[],
  from: Readonly<Partial<Record<Name, unknown>>>,
): unknown[] => names.map((name) => from[name]);

/** An UPDATE's SET list. `values` is SQL. */
export const setOf = <Entity>(
  entity: EntityClass<Entity>,
  values: Readonly<Partial<Record<Property<Entity>, string>>>,
): string =>
  Object.entries(values)
    .map(([property, sql]) => `${columnOf(entity, property)} = ${sql as string}`)
    .join(', ');

/** Condition for rows in which a column differs. `values` is SQL, compared as text. */
export const differsFrom = <Entity>(
  entity: EntityClass<Entity>,
  values: Readonly<Partial<Record<Property<Entity>, string>>>,
): string =>
  Object.entries(values)
    .map(([property, sql]) => {
      return `${columnOf(entity, property)}::text IS DISTINCT FROM ${sql as string}`;
    })
    .join(' OR ');

/** An UPDATE's SET list and parameters for the properties of `patch`. */
export function assignments<Entity>(
  entity: EntityClass<Entity>,
  patch: Readonly<Partial<Entity>>,
  firstParameter: number,
): { readonly sql: string; readonly values: unknown[] } {
  const parameters = parametersOf(Object.keys(patch) as Property<Entity>[], firstParameter - 1);
  return { sql: setOf(entity, parameters), values: Object.values(patch) };
}

/** Cached, because every row has the same few names. */
const shortened = memoize((prefix: string) =>
  memoize((name: string) => (name.startsWith(prefix) ? name.slice(prefix.length) : null)),
);

/** Splits a row of two entities into properties without and with the prefix. */
export function split(
  row: Row,
  prefix: string,
): [Record<string, unknown>, Record<string, unknown>] {
  const rest: Record<string, unknown> = {};
  const part: Record<string, unknown> = {};
  const shorten = shortened(prefix);
  for (const name in row) {
    const short = shorten(name);
    if (short === null) rest[name] = row[name];
    else part[short] = row[name];
  }
  return [rest, part];
}
