import type { BankLine } from '../../src/database/bank/lines/bank-line.entity.js';
import { camtFile, csvFile, mt940File, mt942File, type WrittenStatement } from './bank-file.js';

const announced = (statement: WrittenStatement): WrittenStatement => ({
  ...statement,
  entries: statement.entries.map((entry) => ({ ...entry, status: 'announced' })),
});

/** Each way in which a bank reports an account. */
export const FORMATS: Readonly<Record<string, (statement: WrittenStatement) => string>> = {
  'camt.052': (statement) => camtFile('052', statement),
  'camt.052, pending': (statement) => camtFile('052', announced(statement)),
  'camt.053': (statement) => camtFile('053', statement),
  'camt.054': (statement) => camtFile('054', statement),
  MT940: (statement) => mt940File(statement),
  MT942: (statement) => mt942File(statement),
  // Another file has other bytes.
  CSV: (statement) => `${statement.id};${statement.account}\n${csvFile(statement)}`,
};

const NAMES = Object.keys(FORMATS);

/** Each format after each, and after itself. */
export const PAIRS = NAMES.flatMap((first) => NAMES.map((second) => [first, second] as const));

const isBooking = (name: string): boolean => !/pending|MT942/.test(name);
const hasDetails = (name: string): boolean => name.startsWith('camt');

/** Of each sign, in order. */
interface Amounts {
  readonly booked: readonly number[];
  readonly announced: readonly number[];
}

const inOrder = (amounts: readonly number[]): number[] =>
  [...amounts].sort((one, other) => one - other);

const signed = ({ amount, direction }: { amount: number | null; direction?: string }): number =>
  direction === 'out' ? -amount! : amount!;

/** What counts. */
export function told(lines: readonly BankLine[]): Amounts {
  const counting = lines.filter(({ state }) => state !== 'superseded');
  const amounts = (status: string) =>
    inOrder(counting.filter((line) => line.status === status).map(signed));
  return { booked: amounts('booked'), announced: amounts('announced') };
}

/**
 * Whether the second report cannot be told from one of further payments: a bank notifies of a day in several reports,
 * and no id of the bank says that this one repeats another.
 */
const mayAdd = ({ entries }: WrittenStatement, names: readonly string[]): boolean =>
  names[0] === names[1] &&
  /^camt.05[24]$/.test(names[0]!) &&
  entries.every(({ acctSvcrRef }) => !acctSvcrRef);

/** What has to count when files of some formats report a statement. */
export function reportedBy(statement: WrittenStatement, names: readonly string[]): Amounts {
  const entries = mayAdd(statement, names)
    ? [...statement.entries, ...statement.entries]
    : statement.entries;
  const isBooked = names.some(isBooking);
  const counting = names.filter((name) => isBooking(name) === isBooked);
  const isDetailed = counting.some(hasDetails);
  const amounts = inOrder(
    entries.flatMap((entry) => {
      const parts = (isDetailed && entry.details) || [entry];
      return parts.map(({ amount }) => signed({ amount, direction: entry.direction }));
    }),
  );
  return isBooked ? { booked: amounts, announced: [] } : { booked: [], announced: amounts };
}
