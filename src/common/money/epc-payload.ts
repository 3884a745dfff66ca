import { readBic, readIban } from './iban.js';
import { readCreditorReference } from './creditor-reference.js';
import { toMajorUnits } from './money.js';

/** Error level M; the largest allowed QR version, 13, holds 331 bytes at this level. */
export const EPC_QR_LEVEL = 'medium';
export const EPC_QR_MAX_BYTES = 331;

/** SEPA credit transfer in euros that a payer's banking app fills in after a scan. */
export interface EpcTransfer {
  /** 1 to 70 characters. */
  readonly name: string;
  readonly iban: string;
  readonly bic?: string | undefined;
  /** In cents, 1 to 99,999,999,999; without it the payer enters the amount. */
  readonly amount?: number | undefined;
  /** Up to 4 letters and digits. */
  readonly purpose?: string | undefined;
  /** An ISO 11649 reference; not together with `text`. */
  readonly reference?: string | undefined;
  /** Up to 140 characters for the creditor. */
  readonly text?: string | undefined;
  /** Up to 70 characters for the payer. */
  readonly information?: string | undefined;
}

const AMOUNT_MAX = 99_999_999_999;
const NAME_MAX = 70;
const TEXT_MAX = 140;

/**
 * Text of a QR code per EPC069-12, version 002, in UTF-8, without empty lines at the end.
 * @throws RangeError for data that a bank would reject, or that does not fit into the code
 */
export function epcPayload(transfer: EpcTransfer): string {
  const { name, amount, purpose = '', reference, text = '', information = '' } = transfer;
  const iban = readIban(transfer.iban) ?? fail('The IBAN is not valid.');
  const bic = transfer.bic ? (readBic(transfer.bic) ?? fail('The BIC is not valid.')) : '';
  const rf = reference
    ? (readCreditorReference(reference) ?? fail('The reference is not valid.'))
    : '';
  if (rf && text) fail('A transfer has either a reference or a text.');
  if (!/^[A-Z0-9]{0,4}$/.test(purpose)) fail('A purpose has up to 4 letters and digits.');
  // prettier-ignore
  const lines = [
    'BCD', '002', '1', 'SCT',
    bic, line('name', name, NAME_MAX, 1), iban, euros(amount),
    purpose, rf, line('text', text, TEXT_MAX), line('information', information, NAME_MAX),
  ];
  const payload = lines.join('\n').replace(/\n+$/, '');
  const bytes = Buffer.byteLength(payload);
  return bytes > EPC_QR_MAX_BYTES ? fail(`${bytes} bytes are more than a code takes.`) : payload;
}

/** Transfer details for the payer. */
interface TransferDetails {
  readonly holder: string;
  readonly account: string;
  readonly bic: string | null;
  readonly reference: string;
}

/**
 * Text of the QR code for an amount in minor units; null if no code is possible: another currency, an account without
 * an IBAN, or an amount above the limit.
 */
export function epcPayloadOf(to: TransferDetails, amount: number, currency: string): string | null {
  const { holder: name, account: iban, bic, reference } = to;
  if (currency !== 'EUR' || readIban(iban) === null) return null;
  try {
    return epcPayload({ name, iban, bic: bic ?? undefined, amount, reference });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function euros(amount: number | undefined): string {
  if (amount === undefined) return '';
  const isAmount = Number.isInteger(amount) && amount >= 1 && amount <= AMOUNT_MAX;
  return isAmount
    ? `EUR${toMajorUnits(amount, 'EUR')}`
    : fail('The amount is not 0.01 to 999999999.99.');
}

function line(what: string, text: string, max: number, min = 0): string {
  const length = [...text].length;
  const isLine = length >= min && length <= max && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text);
  return isLine && text.isWellFormed()
    ? text
    : fail(`The ${what} is not one line of ${min} to ${max} characters.`);
}

function fail(reason: string): never {
  throw new RangeError(reason);
}
