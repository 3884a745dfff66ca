import { Problem } from '../../http/problems/problem.js';
import { LiveRefusedError } from '../../merchants/live-safety.js';

/** Problems by field name; `form` holds problems of the whole form. */
export type Problems = Readonly<Record<string, string>>;

export type ParsedForm<T> =
  { readonly done: T; readonly problems?: undefined } | { readonly problems: Problems };

/** Runs the action and returns form problems. Rethrows other errors. */
export async function attempt<T>(work: () => Promise<T>): Promise<ParsedForm<T>> {
  try {
    return { done: await work() };
  } catch (error) {
    const problems = problemsOf(error);
    if (!problems) throw error;
    return { problems };
  }
}

function problemsOf(error: unknown): Problems | null {
  if (error instanceof LiveRefusedError) return { form: error.message };
  if (!(error instanceof Problem) || error.status === 404 || error.status >= 500) return null;
  if (!error.errors) return { form: error.detail };
  // `/eventTypes/0` maps to the field `eventTypes`; only the first problem per field is kept.
  const entries = error.errors.map(({ pointer, detail }) => [
    pointer.split('/')[1] || 'form',
    detail,
  ]);
  return Object.fromEntries(entries.reverse()) as Problems;
}

/** Trimmed text of a field; empty if missing. */
export const textOf = (form: URLSearchParams, name: string): string => form.get(name)?.trim() ?? '';

/** Initial values of a form, without empty ones. */
export const formWith = (values: Readonly<Record<string, string | readonly string[] | null>>) =>
  new URLSearchParams(
    Object.entries(values).flatMap(([name, value]) =>
      [value ?? []].flat().map((text): [string, string] => [name, text]),
    ),
  );

/** Drops empty strings, for requests where a missing member means the default. */
export const filled = <T extends Record<string, unknown>>(values: T): Partial<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')) as Partial<T>;
