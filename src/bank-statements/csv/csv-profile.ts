import { quoted, refuse, said } from '../refused.js';

/** Column names by field. */
export interface CsvColumns {
  readonly bookedOn: string;
  readonly valuedOn?: string;
  /** Signed amount; alternatively `debit` and `credit`, one of which is empty in each row. */
  readonly amount?: string;
  readonly debit?: string;
  readonly credit?: string;
  readonly currency?: string;
  readonly name?: string;
  readonly account?: string;
  readonly bic?: string;
  readonly text: readonly string[];
  readonly reference?: string;
  readonly endToEndId?: string;
  readonly bankReference?: string;
  /** Balance after the row; may be empty. */
  readonly balance?: string;
  /** Whether the row is booked. */
  readonly status?: string;
}

/** Column with the direction of the amount. */
export interface CsvSign {
  readonly column: string;
  /** Values for incoming money, such as `H`, `C` or `Haben`; case-insensitive. */
  readonly credit: readonly string[];
  /** Values for outgoing money, such as `S`, `D` or `Soll`. */
  readonly debit: readonly string[];
}

/** CSV dialect of a bank. */
export interface CsvProfile {
  readonly name: string;
  /** Null in built-in profiles, since files do not name the account. */
  readonly ownAccount: string | null;
  /** For rows without a currency. */
  readonly currency?: string;
  readonly delimiter: string;
  /** Default: UTF-8 if valid, else Windows-1252. */
  readonly encoding?: string;
  /** Pattern of `DD`, `MM` and `YYYY` or `YY`, such as `DD.MM.YYYY`. */
  readonly date: string;
  readonly decimal: string;
  /** Thousands separator; empty for none. */
  readonly group: string;
  readonly columns: CsvColumns;
  /** Direction column, if `amount` has no sign. */
  readonly sign?: CsvSign;
  /** Values of the column `status` for rows that are not booked yet. */
  readonly pending?: readonly string[];
}

/** A name is never a path: a stored profile must not replace a file. */
export const PROFILE_NAME = /^(?!.*\.json$)[^/]{1,140}$/is;

/** Characters of a column name or value, and entries of a list: each costs time in each row. */
const NAME_MAX = 140;
const LIST_MAX = 20;
const A_COLUMN = `the name of a column, of at most ${NAME_MAX} characters`;
const LIST_OF_WORDS = `a list of 1 to ${LIST_MAX} words of at most ${NAME_MAX} characters`;

const NAMES = ['bookedOn', 'valuedOn', 'amount', 'debit', 'credit', 'currency', 'name', 'account'];
const MORE_NAMES = ['bic', 'reference', 'endToEndId', 'bankReference', 'balance', 'status'];
const SINGLE_COLUMNS: readonly string[] = [...NAMES, ...MORE_NAMES];
const FIELDS = [
  'name',
  'ownAccount',
  'currency',
  'delimiter',
  'encoding',
  'date',
  'decimal',
  'group',
  'columns',
  'sign',
  'pending',
];
/** Usual names of balance columns. A balance read as an amount would create money that never came. */
const LIKE_BALANCE = /balance|saldo|stand\b|solde/i;

/**
 * Parses a profile from JSON.
 * @throws StatementRefusedError that names the wrong field
 */
export function readCsvProfile(json: string): CsvProfile {
  const profile = parse(json);
  const text = (name: string, rule: RegExp, expects: string): string => {
    const value = profile[name];
    return typeof value === 'string' && rule.test(value) ? value : wrong(name, expects);
  };
  const optional = (name: string, rule: RegExp, expects: string) =>
    profile[name] === undefined ? {} : { [name]: text(name, rule, expects) };
  const unknown = Object.keys(profile).find((name) => !FIELDS.includes(name));
  if (unknown !== undefined) refuse(`The profile has an unknown field ${quoted(unknown)}.`);
  const decimal = text('decimal', /^[.,]$/, '"." or ","');
  const group = text('group', /^[., '’]?$/, '".", ",", a blank, an apostrophe or empty');
  if (group === decimal) wrong('group', 'another sign than "decimal"');
  return {
    name: text('name', PROFILE_NAME, '1 to 140 characters without "/", and no ".json" at the end'),
    ownAccount:
      profile.ownAccount === null
        ? null
        : text('ownAccount', /^[^\r\n]{1,64}$/, 'the account that the file is of'),
    ...optional('currency', /^[A-Z]{3}$/, 'a currency such as EUR'),
    delimiter: text('delimiter', /^[,;|\t]$/, '",", ";", "|" or a tab'),
    ...optional('encoding', /^[\w.:-]{1,40}$/, 'an encoding such as windows-1252'),
    date: text(
      'date',
      /^(?=.*DD)(?=.*MM)(?=.*YY)(?:DD|MM|YYYY|YY|[./ -]){3,5}$/s,
      'a pattern such as DD.MM.YYYY',
    ),
    decimal,
    group,
    ...readStatus(profile),
  };
}

/** Columns for status and direction, with their required values. */
function readStatus({
  columns,
  pending,
  sign,
}: Record<string, unknown>): Pick<CsvProfile, 'columns' | 'pending' | 'sign'> {
  const read = { columns: readColumns(columns), ...(sign === undefined ? {} : readSign(sign)) };
  checkMoneyColumns(read);
  if ((read.columns.status === undefined) !== (pending === undefined)) {
    wrong('pending', 'there with "columns.status", and only with it');
  }
  if (pending === undefined) return read;
  return { ...read, pending: isWords(pending) ? pending : wrong('pending', LIST_OF_WORDS) };
}

function readSign(sign: unknown): { sign: CsvSign } {
  if (!isObject(sign)) return wrong('sign', 'an object with "column", "credit" and "debit"');
  const { column, credit, debit, ...others } = sign;
  const unknown = Object.keys(others)[0];
  if (unknown !== undefined)
    refuse(`The profile has an unknown field ${quoted(`sign.${unknown}`)}.`);
  if (!isName(column)) return wrong('sign.column', A_COLUMN);
  if (!isWords(credit)) return wrong('sign.credit', LIST_OF_WORDS);
  if (!isWords(debit)) return wrong('sign.debit', LIST_OF_WORDS);
  const both = credit.find((word) => debit.some((other) => plainSign(other) === plainSign(word)));
  if (both !== undefined) wrong('sign', `so that ${quoted(both)} is either a credit or a debit`);
  return { sign: { column, credit, debit } };
}

/** Normalises a value of the direction column for comparison. */
export const plainSign = (word: string): string => word.trim().toLowerCase();

/** Each column has one meaning only, otherwise wrong amounts could be read. */
function checkMoneyColumns({ columns, sign }: Pick<CsvProfile, 'columns' | 'sign'>): void {
  const { amount, debit, credit, balance, bookedOn, valuedOn } = columns;
  if (sign && amount === undefined) wrong('sign', 'there only with "columns.amount"');
  const money = [amount, debit, credit, balance, sign?.column].filter((name) => name !== undefined);
  const twice = money.find(
    (name, at) => money.indexOf(name) !== at || name === bookedOn || name === valuedOn,
  );
  if (twice !== undefined)
    refuse(`The profile names the column ${quoted(twice)} twice: an amount has one of its own.`);
  const odd = [amount, debit, credit].find((name) => name !== undefined && LIKE_BALANCE.test(name));
  if (odd !== undefined)
    refuse(`The column ${quoted(odd)} looks like a balance: name it as "columns.balance".`);
}

function readColumns(columns: unknown): CsvColumns {
  if (!isObject(columns)) return wrong('columns', 'an object');
  const { text = [], ...others } = columns;
  if (!isNames(text)) wrong('columns.text', `a list of at most ${LIST_MAX} names of columns`);
  for (const [name, column] of Object.entries(others)) {
    if (!SINGLE_COLUMNS.includes(name))
      refuse(`The profile has an unknown field ${quoted(`columns.${name}`)}.`);
    if (!isName(column)) wrong(`columns.${name}`, A_COLUMN);
  }
  if (!isName(others.bookedOn)) wrong('columns.bookedOn', A_COLUMN);
  const isSplit = isName(others.debit) && isName(others.credit);
  const isAlone = others.debit === undefined && others.credit === undefined;
  if (isName(others.amount) ? !isAlone : !isSplit) {
    wrong('columns', 'either "amount" or both, "debit" and "credit"');
  }
  return { ...others, text } as unknown as CsvColumns;
}

function parse(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : refuse('The profile is no JSON object.');
  } catch (error) {
    return refuse(`The profile is no JSON: ${said((error as Error).message)}.`);
  }
}

const wrong = (name: string, expects: string): never =>
  refuse(`The profile’s ${quoted(name)} must be ${expects}.`);
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= NAME_MAX;
const isWords = (value: unknown): value is string[] =>
  isNames(value) && value.length > 0 && value.every((word) => word.trim() !== '');
const isNames = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length <= LIST_MAX && value.every((each) => isName(each));
