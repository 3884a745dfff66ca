import { isLocaleTag, LOCALE_TAG_LENGTH_MAX } from './locale-tag.js';
import { pointerStep } from './rules.js';
import { textProblem } from '../common/text.js';

/** How a value was normalised. */
export const WARNINGS = {
  white_space: 'Line breaks and tabs became spaces, and white space around the value was left out.',
  capitals: 'The letters became capitals.',
  locale: 'The language was written as a BCP 47 tag.',
  left_out: 'The value says nothing, and counts as not sent.',
} as const satisfies Record<string, string>;

export type WarningCode = keyof typeof WARNINGS;

/** `at` is a JSON Pointer relative to the field. */
interface Notice {
  readonly code: WarningCode;
  readonly at?: string;
}

/** Normalised value; undefined means absent. */
export interface Folded {
  readonly value: unknown;
  readonly notices: readonly Notice[];
}

/**
 * Normalises a value with a clear meaning; undefined leaves it unchanged, valid or not. Folds only change values that
 * would be rejected: valid values are kept as sent, and values with different content never become equal.
 */
export type Fold = (value: unknown) => Folded | undefined;

const kept = (value: unknown, code: WarningCode): Folded => ({ value, notices: [{ code }] });
const NOTHING = kept(undefined, 'left_out');

/** Trims white space. */
export const trimmed: Fold = (value) => {
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  return text === value ? undefined : kept(text, 'white_space');
};

/** Trims white space; empty text counts as absent. */
export const trimmedOrNothing: Fold = (value) => {
  if (value === '') return NOTHING;
  const folded = trimmed(value);
  return folded?.value === '' ? NOTHING : folded;
};

const CODE = /^[A-Z]{3}$/;

/** Three upper-case letters. */
export const capitals: Fold = (value) => {
  if (typeof value !== 'string' || CODE.test(value)) return undefined;
  const text = value.trim();
  if (!/^[A-Za-z]{3}$/.test(text)) return undefined;
  const code = text.toUpperCase();
  return kept(code, code === text ? 'white_space' : 'capitals');
};

const BREAK = /[\t\n\r]/;

const oneLineOf = (value: unknown, max: number): string | undefined =>
  typeof value === 'string' && BREAK.test(value) && !textProblem(value, { max, lines: true })
    ? value.replaceAll(/[\t\n\r]+/g, ' ').trim()
    : undefined;

/** Folds lines into one, up to a length before folding. */
export const oneLine =
  (max: number): Fold =>
  (value) => {
    const line = oneLineOf(value, max);
    return line === undefined ? undefined : kept(line, 'white_space');
  };

const PLAIN_LOCALE = /^[A-Za-z]{2,3}(-[A-Za-z]{2})?$/;
/** Characters of locale names on all systems, such as `de_DE.UTF-8` and `sr_RS@latin`. */
const LOCALE_NAME = /^[\w .@-]*$/;

/** Language tag for a locale name of another system; absent if unknown. */
export const localeTag: Fold = (value) => {
  if (typeof value !== 'string' || value.length > LOCALE_TAG_LENGTH_MAX) return undefined;
  const name = value.trim();
  if (PLAIN_LOCALE.test(value) || isLocaleTag(value) || !LOCALE_NAME.test(name)) return undefined;
  const subtags = name.replace(/[.@].*$/, '').split(/[-_]/);
  for (; subtags.length > 0; subtags.pop()) {
    const tag = subtags.join('-');
    if (isLocaleTag(tag)) return kept(tag, 'locale');
  }
  return NOTHING;
};

/** Some languages serialise an empty object as a list. */
const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

export const emptyList: Fold = (value) => (isEmptyList(value) ? NOTHING : undefined);

/** Folds the values of pairs into one line each; drops pairs without a value. */
export const pairsInLines =
  (max: number): Fold =>
  (value) => {
    if (isEmptyList(value)) return NOTHING;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    if (
      !Object.values(value).some(
        (member) => member === null || oneLineOf(member, max) !== undefined,
      )
    ) {
      return undefined;
    }
    const notices: Notice[] = [];
    const pairs = Object.entries(value).flatMap(([name, member]) => {
      const line = member === null ? undefined : oneLineOf(member, max);
      if (member !== null && line === undefined) return [[name, member]];
      notices.push({
        code: line === undefined ? 'left_out' : 'white_space',
        at: pointerStep(name),
      });
      return line === undefined ? [] : [[name, line]];
    });
    return { value: Object.fromEntries(pairs), notices };
  };
