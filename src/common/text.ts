export type TextProblem =
  'not_text' | 'too_short' | 'too_long' | 'control_character' | 'not_well_formed';

/** Lengths in Unicode code points, as PostgreSQL's char_length counts them. */
export interface TextLimits {
  /** Default 0. */
  readonly min?: number;
  readonly max: number;
  /** Allows tab, line feed and carriage return. */
  readonly lines?: boolean;
  /** Rejects bidirectional control characters: they would reverse the display of the text beside a name. */
  readonly name?: boolean;
}

// Cc is exactly NUL and the other C0 controls, DEL, and C1. U+2028 and U+2029 are ordinary text.
const CONTROL = /\p{Cc}/u;
const CONTROL_BUT_LINES = /[^\P{Cc}\t\n\r]/u;
// Marks, embeddings, overrides and isolates of the Unicode Bidirectional Algorithm.
const DIRECTION = /\p{Bidi_Control}/u;
const SURROGATE_PAIR = /[\ud800-\udbff][\udc00-\udfff]/g;

/** Problem of a text from outside; undefined if it is valid. Text is stored as sent. */
export function textProblem(value: unknown, limits: TextLimits): TextProblem | undefined {
  if (typeof value !== 'string') return 'not_text';
  const { min = 0, max, lines = false, name = false } = limits;
  if (value.length > 2 * max) return 'too_long';
  const length = codePoints(value);
  if (length < min) return 'too_short';
  if (length > max) return 'too_long';
  if (!value.isWellFormed()) return 'not_well_formed';
  const isOdd =
    (lines ? CONTROL_BUT_LINES : CONTROL).test(value) || (name && DIRECTION.test(value));
  return isOdd ? 'control_character' : undefined;
}

function codePoints(text: string): number {
  return text.length - (text.match(SURROGATE_PAIR)?.length ?? 0);
}
