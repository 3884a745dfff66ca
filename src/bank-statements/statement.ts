import type { AccountType } from '../database/payments/payment.entity.js';

export type MoneyDirection = 'in' | 'out';

/** Announced is what the bank expects or only tells of: nothing is paid by it. */
export type LineStatus = 'booked' | 'announced';

/**
 * What a line is. A customer's payment is one that came in, is booked, and is a `payment`; a `batch_total` has its
 * payments elsewhere, a `collection` is a direct debit, and `unusable` is what has no amount that could count.
 */
export type LineKind =
  'payment' | 'return' | 'reversal' | 'collection' | 'batch_total' | 'unusable' | 'other';

export interface Counterparty {
  readonly name: string | null;
  /** As the bank gave it: an IBAN without blanks, or any other text. */
  readonly account: string | null;
  readonly accountType: AccountType | null;
  readonly bic: string | null;
}

/** A structured reference of the payer, such as `SCOR` with an RF reference, or `QRR`. */
export interface LineReference {
  readonly value: string;
  readonly type: string | null;
}

/** What banks and payers call a booking. None of them alone is unique. */
export interface LineIdentifiers {
  readonly entryReference: string | null;
  readonly entryBankReference: string | null;
  readonly transactionBankReference: string | null;
  readonly transactionId: string | null;
  readonly instructionId: string | null;
  readonly uetr: string | null;
  readonly messageId: string | null;
  readonly paymentInformationId: string | null;
}

export const NO_IDENTIFIERS: LineIdentifiers = {
  entryReference: null,
  entryBankReference: null,
  transactionBankReference: null,
  transactionId: null,
  instructionId: null,
  uetr: null,
  messageId: null,
  paymentInformationId: null,
};

/** One transaction of an entry that has several, or else one entry. */
export interface StatementLine {
  /** Of the statement, from 0. */
  readonly entry: number;
  /** Of the entry, from 0. */
  readonly detail: number;
  /** `YYYY-MM-DD`, as the bank wrote it. */
  readonly bookedOn: string | null;
  readonly valuedOn: string | null;
  /** Whole minor units, never negative; null when `amountText` has what the bank wrote. */
  readonly amount: bigint | null;
  /** Decimal text of an amount in a currency whose minor unit is not known, or that is none of it. */
  readonly amountText: string | null;
  readonly currency: string | null;
  readonly direction: MoneyDirection;
  readonly status: LineStatus;
  readonly kind: LineKind;
  /** Takes an earlier booking back; the direction is already that of the money. */
  readonly reversal: boolean;
  /** Money that came back because a payment could not be carried out. */
  readonly returned: boolean;
  /** In which way the bank contradicts itself: a person has to look before the line counts. */
  readonly contradicts?: string;
  /** Of CSV: only balances that fit show that the amount was read as the bank means it. */
  readonly needsBalance?: true;
  readonly counterparty: Counterparty;
  readonly references: readonly LineReference[];
  readonly endToEndId: string | null;
  readonly bankReference: string | null;
  /** What the payer wrote, then what the bank added. */
  readonly text: string | null;
  readonly identifiers: LineIdentifiers;
}

export interface BankStatement {
  /** Of its text, such as `camt.053.001.08` or `mt940`. */
  readonly format: string;
  readonly id: string | null;
  readonly sequence: string | null;
  readonly account: string | null;
  readonly currency: string | null;
  /** Minor units, negative when overdrawn. */
  readonly openingBalance: bigint | null;
  readonly closingBalance: bigint | null;
  /**
   * What its balances prove. `true`: everything was read, and the booked entries lead from the opening to the closing
   * balance. `false`: they do not, or something could not be read: no line of it may pay by itself. `null`: no proof,
   * because a balance is missing, as in reports.
   */
  readonly balanced: boolean | null;
  /** The first and the last day of which it has all bookings (`YYYY-MM-DD`): of camt.053 and MT940 alone. */
  readonly coversFrom: string | null;
  readonly coversUntil: string | null;
}

export interface StatementWarning {
  readonly code: string;
  readonly detail: string;
}

/** What a reader hands out, in the order of the file: lines, then the statement that they were in. */
export type StatementPiece =
  | { readonly type: 'line'; readonly line: StatementLine }
  | { readonly type: 'statement'; readonly statement: BankStatement }
  | { readonly type: 'warning'; readonly warning: StatementWarning }
  | { readonly type: 'format'; readonly format: string };
