import { Problem } from '../../http/problem.js';
import { LiveRefusedError } from '../../merchants/live-safety.js';

/** What is wrong with a form, by the name of the field; under `form` what concerns no field alone. */
export type Problems = Readonly<Record<string, string>>;

export type ParsedForm<T> =
  { readonly done: T; readonly problems?: undefined } | { readonly problems: Problems };

/** Does the work, or tells what is wrong with the form. Other faults get a page of their own. */
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
  // `/eventTypes/0` is about the field `eventTypes`; the first complaint of each is enough.
  const entries = error.errors.map(({ pointer, detail }) => [
    pointer.split('/')[1] || 'form',
    detail,
  ]);
  return Object.fromEntries(entries.reverse()) as Problems;
}

/** The text of a field without white space around it; empty when it is missing. */
export const textOf = (form: URLSearchParams, name: string): string => form.get(name)?.trim() ?? '';

/** A form as it is before anybody has typed: empty values are left out. */
export const formWith = (values: Readonly<Record<string, string | readonly string[] | null>>) =>
  new URLSearchParams(
    Object.entries(values).flatMap(([name, value]) =>
      [value ?? []].flat().map((text): [string, string] => [name, text]),
    ),
  );

/** Members that are not empty, for requests in which absent means "as usual". */
export const filled = <T extends Record<string, unknown>>(values: T): Partial<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')) as Partial<T>;
