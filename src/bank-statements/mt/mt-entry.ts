import { type BankAmount, scaledOf } from '../amount.js';
import { type BankDay, bankDay, nearestDay } from '../bank-day.js';
import { reference } from '../counterparty.js';
import { quoted, refuse } from '../refused.js';
import type { MoneyDirection } from '../statement.js';
import type { MtField } from './mt-fields.js';

/** Field :61:. */
export interface MtEntry {
  readonly line: number;
  readonly valuedOn: BankDay;
  /** Null without an entry date. */
  readonly bookedOn: BankDay | null;
  readonly direction: MoneyDirection;
  readonly reversal: boolean;
  /** Expected but not yet booked. */
  readonly expected: boolean;
  readonly amount: bigint;
  /** Transaction type, such as `NTRF`. */
  readonly type: string;
  readonly customerReference: string | null;
  readonly bankReference: string | null;
  /**
   * A placeholder of the bank stands before the bank reference. A payer's reference may imitate even that, so that
   * matching doubts it until another format has it, too.
   */
  readonly isBankReferenceSure: boolean;
  readonly supplement: readonly string[];
}

/** Field with a balance, such as :60: or :62:. */
export interface MtBalance extends BankAmount {
  readonly day: BankDay | undefined;
}

/**
 * Value date, entry date (blank at some banks), debit/credit mark, third letter of the currency, amount, type (some
 * banks pad short ones with blanks) and references. A line without a type may be cut off inside the amount.
 */
const ENTRY =
  /^(\d{6})(\d{4}| {4})?(RC|RD|EC|ED|C|D)([A-Z])?(\d[\d.]*(?:,\d*)?) ?([A-Z][A-Z0-9 ]{3})(.*)$/s;
const BALANCE = /^([CD])(\d{6})([A-Z]{3})(\d[\d.]*(?:,\d*)?)\s*$/;
/** Two-digit years from here on belong to the last century. */
const OLD_YEARS = 80;

/** Placeholders of banks for a missing reference, or for one in the details. */
const NO_CHOICE = /^(?:NONREF|NOREF|NOTPROVIDED|[EKMP]REF\+?|MARF)\s*$/;

/** @throws StatementRefusedError */
export function readMtEntry({ line, lines }: MtField): MtEntry {
  const [first = '', ...supplement] = lines;
  const match = ENTRY.exec(first) ?? refuse(`Line ${line}: ${quoted(first)} is no entry.`);
  const [, value = '', short, mark = '', , amount = '', type = '', references = ''] = match;
  const valuedOn = readDay(value) ?? refuse(`Line ${line}: ${quoted(value)} is no day.`);
  const [customer, ...bank] = references.split('//');
  return {
    line,
    valuedOn,
    bookedOn: short?.trim() ? readEntryDay(short, valuedOn, line) : null,
    // The reversal of a credit is outgoing money, the reversal of a debit is incoming.
    direction: mark === 'RD' || mark === 'C' || mark === 'EC' ? 'in' : 'out',
    reversal: mark.startsWith('R'),
    expected: mark.startsWith('E'),
    amount: readMtAmount(amount, line),
    type,
    customerReference: reference(customer),
    bankReference: reference(bank.join('//')),
    isBankReferenceSure: NO_CHOICE.test(customer ?? '') && !/\/\/|^\//.test(bank.join('//')),
    supplement,
  };
}

const readEntryDay = (short: string, valuedOn: BankDay, line: number): BankDay =>
  nearestDay(short, valuedOn.day) ?? refuse(`Line ${line}: ${quoted(short)} is no day.`);

/** @throws StatementRefusedError */
export function readMtBalance({ line, lines }: MtField): MtBalance {
  const text = lines[0] ?? '';
  const match = BALANCE.exec(text) ?? refuse(`Line ${line}: ${quoted(text)} is no balance.`);
  const [, mark, date = '', currency = '', amount = ''] = match;
  const scaled = readMtAmount(amount, line);
  return { scaled: mark === 'D' ? -scaled : scaled, currency, day: readDay(date) };
}

/** Decimal comma or no decimals; leading zeros are allowed. */
function readMtAmount(text: string, line: number): bigint {
  const scaled = text.includes('.') ? undefined : scaledOf(text.replace(',', '.'));
  return scaled ?? refuse(`Line ${line}: the amount ${quoted(text)} is no decimal number.`);
}

function readDay(text: string): BankDay | undefined {
  const [year, month, day] = [0, 2, 4].map((at) => Number(text.slice(at, at + 2)));
  return bankDay(year! + (year! >= OLD_YEARS ? 1900 : 2000), month!, day!);
}
