import { composedText } from '../../common/normalized-text.js';
import { COMMON_PASSWORDS, COMMON_WORDS } from './common-passwords.js';

/** In characters. NIST SP 800-63B requires length, and no rules that make passwords hard to type. */
export const PASSWORD_MIN = 12;
export const PASSWORD_MAX = 1_024;

/** Shorter parts of a name or address appear in words by chance. */
const PART_MIN = 4;
/** Minimum characters left without words and keyboard rows. */
const REST_MIN = 6;
const ROW_MIN = 4;
const KINDS_MIN = 5;

/** Keyboard rows and sequences of characters. */
const ROWS = [
  'abcdefghijklmnopqrstuvwxyzabc',
  '01234567890123',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'qsdfghjklm',
  'zxcvbnm',
  'yxcvbnm',
  '1q2w3e4r5t6y7u8i9o0p',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  'zaq1xsw2cde3vfr4bgt5nhy6mju7',
  '!"#$%&/()=',
  '!@#$%^&*()',
].flatMap((row) => [row, [...row].reverse().join('')]);

const LOOKALIKES: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

export interface Bearer {
  readonly email: string;
  readonly name: string;
}

/** Error message for a weak password; undefined if it is strong enough. */
export function passwordProblem(password: string, bearer: Bearer): string | undefined {
  const composed = composedText(password);
  const characters = [...composed];
  if (characters.length < PASSWORD_MIN) return `Use at least ${PASSWORD_MIN} characters.`;
  if (characters.length > PASSWORD_MAX) return `Use at most ${PASSWORD_MAX} characters.`;
  const plain = composed.toLowerCase();
  if (partsOf(bearer).some((part) => plain.includes(part))) {
    return 'Leave your name and your e-mail address out of it.';
  }
  if (isRepetition(plain)) return 'This is a repetition. Use something harder to guess.';
  if (without(plain, ROWS_OF_KEYS).length < REST_MIN) {
    return 'These are characters in a row. Use something harder to guess.';
  }
  if (isCommon(plain)) {
    return 'Many people use a password like this. Use something harder to guess.';
  }
  return undefined;
}

/** Words of the name, and of the address without its domain ending. */
function partsOf({ email, name }: Bearer): string[] {
  const address = email.toLowerCase();
  const [local = '', domain = ''] = address.split('@');
  const words = [
    address,
    local,
    domain,
    ...domain.split('.').slice(0, -1),
    ...local.split(/[^\p{L}\p{N}]+/u),
  ];
  return [
    ...words,
    ...composedText(name)
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u),
  ].filter((part) => part.length >= PART_MIN);
}

/** A repeated part, or hardly any different characters. */
function isRepetition(plain: string): boolean {
  if (new Set(plain).size < KINDS_MIN) return true;
  for (let period = 1; period <= plain.length / 2; period++) {
    if (plain.startsWith(plain.slice(period))) return true;
  }
  return false;
}

/** A common password, or made of common words, with digits and signs added or substituted. */
function isCommon(plain: string): boolean {
  const spoken = plain.replaceAll(/[\s\-_.,]/g, '');
  const core = spoken.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  const forms = [spoken, core, inLetters(spoken), inLetters(core)];
  return forms.some(
    (form) => COMMON_PASSWORDS.has(form) || lettersOf(without(form, WORDS)).length === 0,
  );
}

const inLetters = (text: string): string =>
  text.replaceAll(/[013457@$!]/g, (sign) => LOOKALIKES[sign] ?? sign);

const lettersOf = (text: string): string =>
  without(text, ROWS_OF_KEYS).replaceAll(/[^\p{L}]/gu, '');

const WORDS: readonly string[] = [...COMMON_WORDS].sort((one, other) => other.length - one.length);

/** All parts of rows that are long enough, the longest first. */
const ROWS_OF_KEYS: readonly string[] = [...new Set(ROWS.flatMap(stretches))].sort(
  (one, other) => other.length - one.length,
);

function stretches(row: string): string[] {
  const found: string[] = [];
  for (let start = 0; start <= row.length - ROW_MIN; start++) {
    for (let end = start + ROW_MIN; end <= row.length; end++) found.push(row.slice(start, end));
  }
  return found;
}

const without = (text: string, parts: readonly string[]): string =>
  parts
    .reduce((left, part) => (left.includes(part) ? left.replaceAll(part, ' ') : left), text)
    .replaceAll(' ', '');
