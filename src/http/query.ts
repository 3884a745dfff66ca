import { uuidOf } from '../common/ids.js';
import { momentOf } from '../common/time/rfc3339.js';
import { Problem } from './problems/problem.js';

/** Query parameters from Fastify: a repeated one is an array. */
export type Query = Readonly<Record<string, unknown>>;

/** Page size: minimum, maximum and default. */
export const PAGE_LIMIT = { min: 1, max: 100, standard: 25 } as const;

/** Maximum identifiers per request. */
export const IDS_MAX = 100;

/** @param expects the end of the sentence "The query parameter must be …" */
export const invalidParameter = (name: string, expects: string): Problem =>
  new Problem('invalid_parameter', {
    detail: `The query parameter \`${name}\` must be ${expects}.`,
  });

/**
 * Text of an optional parameter.
 * @throws Problem `invalid_parameter` if it is repeated
 */
export function parameterOf(query: Query, name: string): string | undefined {
  const value = query[name];
  if (value === undefined || typeof value === 'string') return value;
  throw invalidParameter(name, 'sent only once');
}

/** An id, or null. @throws Problem `invalid_parameter` */
export function uuidParameter(query: Query, name: string, expects: string): string | null {
  const text = parameterOf(query, name);
  if (text === undefined) return null;
  const id = uuidOf(text);
  if (id === null) throw invalidParameter(name, expects);
  return id;
}

/** A time, or null. @throws Problem `invalid_parameter` */
export function timeParameter(query: Query, name: string): Date | null {
  const text = parameterOf(query, name);
  if (text === undefined) return null;
  const moment = momentOf(text);
  if (moment) return moment;
  // A blank in a query may be an unescaped plus.
  throw invalidParameter(
    name,
    'a time such as 2026-03-01T12:00:00Z, in which the + of an offset is written %2B',
  );
}

/** @throws Problem `invalid_parameter` */
export function limitOf(query: Query): number {
  const { min, max, standard } = PAGE_LIMIT;
  const text = parameterOf(query, 'limit') ?? String(standard);
  const limit = Number(text);
  if (/^\d{1,3}$/.test(text) && limit >= min && limit <= max) return limit;
  throw invalidParameter('limit', `a whole number from ${min} to ${max}`);
}

/** Name of a repeated list parameter in some programs. */
export const repeatedName = (name: string): string => `${name}[]`;

/** Entries of a list, sent as `a=x,y`, `a=x&a=y` or `a[]=x&a[]=y`; undefined if absent. */
export function listOf(query: Query, name: string): readonly string[] | undefined {
  const sent = [query[name], query[repeatedName(name)]].flat() as (string | undefined)[];
  const texts = sent.filter((text) => text !== undefined);
  return texts.length === 0 ? undefined : texts.flatMap((text) => text.split(','));
}

/**
 * Unique identifiers of a list parameter; null if absent.
 * @param parse returns null for an invalid identifier
 * @throws Problem `invalid_parameter`, also for too many
 */
export function idsOf(
  query: Query,
  name: string,
  parse: (text: string) => string | null,
): readonly string[] | null {
  const texts = listOf(query, name);
  if (!texts) return null;
  const ids = [...new Set(texts.map(parse))].filter((id) => id !== null);
  const isGood = texts.every((text) => parse(text) !== null) && ids.length <= IDS_MAX;
  if (isGood) return ids;
  throw invalidParameter(name, `identifiers of orders, at most ${IDS_MAX}, separated by commas`);
}

/**
 * Choices of a list parameter; undefined if absent.
 * @throws Problem `invalid_parameter`
 */
export function choicesOf<T extends string>(
  query: Query,
  name: string,
  choices: readonly T[],
): readonly T[] | undefined {
  const texts = listOf(query, name);
  if (!texts) return undefined;
  const chosen = choices.filter((choice) => texts.includes(choice));
  if (chosen.length === new Set(texts).size) return chosen;
  throw invalidParameter(name, `some of ${choices.join(', ')}, separated by commas`);
}
