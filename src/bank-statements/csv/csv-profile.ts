import { quoted, refuse, said } from '../refused.js';

/** Which column of the header has what. */
export interface CsvColumns {
  readonly bookedOn: string;
  readonly valuedOn?: string;
  /** With its sign; or else `debit` and `credit`, of which one is empty in each row. */
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
  /** The balance behind the row; rows may leave it empty. */
  readonly balance?: string;
  /** Whether the row is booked already. */
  readonly status?: string;
}

/** A column that says whether the amount of its row came or went. */
export interface CsvSign {
  readonly column: string;
  /** What stands there for money that came in, such as `H`, `C` or `Haben`; case does not matter. */
  readonly credit: readonly string[];
  /** What stands there for money that went out, such as `S`, `D` or `Soll`. */
  readonly debit: readonly string[];
}

/** How a bank writes CSV. */
export interface CsvProfile {
  readonly name: string;
  /** Null in a profile that comes along: files do not name the account. */
  readonly ownAccount: string | null;
  /** Of rows without a currency of their own. */
  readonly currency?: string;
  readonly delimiter: string;
  /** Default: UTF-8 if the file is that, else Windows-1252. */
  readonly encoding?: string;
  /** Of `DD`, `MM` and `YYYY` or `YY`, such as `DD.MM.YYYY`. */
  readonly date: string;
  /** The sign before decimals. */
  readonly decimal: string;
  /** The sign between thousands; empty for none. */
  readonly group: string;
  readonly columns: CsvColumns;
  /** Where `amount` has no sign. */
  readonly sign?: CsvSign;
  /** Words in the column `status` by which the bank says that a row is not booked yet. */
  readonly pending?: readonly string[];
}

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
/** What columns of a balance are called. An amount that is read out of one is money that never came. */
const LIKE_BALANCE = /balance|saldo|stand\b|solde/i;

/**
 * A profile out of JSON.
 * @throws StatementRefusedError that says which field is wrong
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
    name: text('name', /^.{1,140}$/, '1 to 140 characters'),
    ownAccount:
      profile.ownAccount === null
        ? null
        : text('ownAccount', /^.{1,64}$/, 'the account that the file is of'),
    ...optional('currency', /^[A-Z]{3}$/, 'a currency such as EUR'),
    delimiter: text('delimiter', /^[,;|\t]$/, '",", ";", "|" or a tab'),
    ...optional('encoding', /^[\w.:-]{1,40}$/, 'an encoding such as windows-1252'),
    date: text(
      'date',
      /^(?=.*DD)(?=.*MM)(?=.*YY)(?:DD|MM|YYYY|YY|[./ -]){3,5}$/,
      'a pattern such as DD.MM.YYYY',
    ),
    decimal,
    group,
    ...readStatus(profile),
  };
}

/** The columns, and the words without which a column of the status or of the sign would say nothing. */
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
  return { ...read, pending: isWords(pending) ? pending : wrong('pending', 'a list of words') };
}

function readSign(sign: unknown): { sign: CsvSign } {
  if (!isObject(sign)) return wrong('sign', 'an object with "column", "credit" and "debit"');
  const { column, credit, debit, ...others } = sign;
  const unknown = Object.keys(others)[0];
  if (unknown !== undefined)
    refuse(`The profile has an unknown field ${quoted(`sign.${unknown}`)}.`);
  if (!isName(column)) return wrong('sign.column', 'the name of a column');
  if (!isWords(credit)) return wrong('sign.credit', 'a list of words');
  if (!isWords(debit)) return wrong('sign.debit', 'a list of words');
  const both = credit.find((word) => debit.some((other) => plainSign(other) === plainSign(word)));
  if (both !== undefined) wrong('sign', `so that ${quoted(both)} is either a credit or a debit`);
  return { sign: { column, credit, debit } };
}

/** As words of a sign are compared. */
export const plainSign = (word: string): string => word.trim().toLowerCase();

/** A column has one meaning, or money could be read that is none. */
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
  if (!isNames(text)) wrong('columns.text', 'a list of names of columns');
  for (const [name, column] of Object.entries(others)) {
    if (!SINGLE_COLUMNS.includes(name))
      refuse(`The profile has an unknown field ${quoted(`columns.${name}`)}.`);
    if (!isName(column)) wrong(`columns.${name}`, 'the name of a column');
  }
  if (!isName(others.bookedOn)) wrong('columns.bookedOn', 'the name of a column');
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
const isName = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isWords = (value: unknown): value is string[] =>
  isNames(value) && value.length > 0 && value.every((word) => word.trim() !== '');
const isNames = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => isName(each));
