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
  'pending',
];

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

/** The columns, and the words without which a column of the status would say nothing. */
function readStatus({
  columns,
  pending,
}: Record<string, unknown>): Pick<CsvProfile, 'columns' | 'pending'> {
  const read = readColumns(columns);
  if ((read.status === undefined) !== (pending === undefined)) {
    wrong('pending', 'there with "columns.status", and only with it');
  }
  if (pending === undefined) return { columns: read };
  const isList = isNames(pending) && pending.length > 0;
  return { columns: read, pending: isList ? pending : wrong('pending', 'a list of words') };
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
const isNames = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => isName(each));
