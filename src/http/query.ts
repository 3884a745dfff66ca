import { momentOf } from '../common/rfc3339.js';
import { Problem } from './problem.js';

/** Query parameters as Fastify reads them: a repeated one is an array. */
export type Query = Readonly<Record<string, unknown>>;

/** Entries of a page: as many as asked for, else the standard number. */
export const PAGE_LIMIT = { min: 1, max: 100, standard: 25 } as const;

/** Identifiers that one request can name. */
export const IDS_MAX = 100;

/** @param expects the end of the sentence "The query parameter must be …" */
export const invalidParameter = (name: string, expects: string): Problem =>
  new Problem('invalid_parameter', {
    detail: `The query parameter \`${name}\` must be ${expects}.`,
  });

/**
 * The text of a parameter that may be left out.
 * @throws Problem `invalid_parameter` when it was sent more than once
 */
export function parameterOf(query: Query, name: string): string | undefined {
  const value = query[name];
  if (value === undefined || typeof value === 'string') return value;
  throw invalidParameter(name, 'sent only once');
}

/** A time, or null. @throws Problem `invalid_parameter` */
export function timeParameter(query: Query, name: string): Date | null {
  const text = parameterOf(query, name);
  if (text === undefined) return null;
  const moment = momentOf(text);
  if (moment) return moment;
  // What a query has for a blank is a plus.
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

/** The name of a list as some programs write it when they repeat it. */
export const repeatedName = (name: string): string => `${name}[]`;

/** The entries of a list, sent as `a=x,y`, `a=x&a=y` or `a[]=x&a[]=y`; undefined when it is left out. */
export function listOf(query: Query, name: string): readonly string[] | undefined {
  const sent = [query[name], query[repeatedName(name)]].flat() as (string | undefined)[];
  const texts = sent.filter((text) => text !== undefined);
  return texts.length === 0 ? undefined : texts.flatMap((text) => text.split(','));
}

/**
 * The identifiers that a parameter lists, each once; null when it is left out.
 * @param parse null for what is none
 * @throws Problem `invalid_parameter`, for too many, too
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
 * A parameter that lists some of the choices; undefined when it is left out.
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
