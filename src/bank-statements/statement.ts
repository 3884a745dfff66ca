import type { AccountType } from '../database/payments/payment.entity.js';

export type MoneyDirection = 'in' | 'out';

/** `announced` = pending, or reported without a booking: it pays nothing. */
export type LineStatus = 'booked' | 'announced';

/**
 * Kind of a line. A customer's payment is an incoming booked `payment`; the payments of a `batch_total` are listed
 * elsewhere, a `collection` is a direct debit, and `unusable` has no usable amount.
 */
export type LineKind =
  'payment' | 'return' | 'reversal' | 'collection' | 'batch_total' | 'unusable' | 'other';

export interface Counterparty {
  readonly name: string | null;
  /** IBAN without blanks, or any other account number as the bank wrote it. */
  readonly account: string | null;
  readonly accountType: AccountType | null;
  readonly bic: string | null;
}

/** Structured reference of the payer, such as `SCOR` with an RF reference, or `QRR`. */
export interface LineReference {
  readonly value: string;
  readonly type: string | null;
}

/** Identifiers assigned by banks and payers. None is unique on its own. */
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

/** One transaction of an entry with two or more transactions, otherwise the whole entry. */
export interface StatementLine {
  /** Number in the statement, from 0. */
  readonly entry: number;
  /** Number in the entry, from 0. */
  readonly detail: number;
  /** `YYYY-MM-DD`, as the bank wrote it. */
  readonly bookedOn: string | null;
  readonly valuedOn: string | null;
  /** Whole minor units, never negative; null if `amountText` has the bank's text. */
  readonly amount: bigint | null;
  /** Decimal text of an amount that its currency does not allow, or in a currency with unknown minor units. */
  readonly amountText: string | null;
  readonly currency: string | null;
  readonly direction: MoneyDirection;
  readonly status: LineStatus;
  readonly kind: LineKind;
  /** Reverses an earlier booking; the direction is already that of the money. */
  readonly reversal: boolean;
  /** Money returned because a payment could not be executed. */
  readonly returned: boolean;
  /** Contradiction in the bank's data: an operator has to check before the line is used. */
  readonly contradicts?: string;
  /** CSV only: a cell contains the delimiter, so a payer may have shifted the row's cells. */
  readonly mayBeShifted?: true;
  readonly counterparty: Counterparty;
  readonly references: readonly LineReference[];
  readonly endToEndId: string | null;
  readonly bankReference: string | null;
  /** Payer's text, then the bank's additions. */
  readonly text: string | null;
  readonly identifiers: LineIdentifiers;
}

export interface BankStatement {
  /** Format of the text, such as `camt.053.001.08` or `mt940`. */
  readonly format: string;
  readonly id: string | null;
  readonly sequence: string | null;
  readonly account: string | null;
  readonly currency: string | null;
  /** Minor units, negative if overdrawn. */
  readonly openingBalance: bigint | null;
  readonly closingBalance: bigint | null;
  /**
   * What the balances prove. `true`: everything was read, and the booked entries lead from the opening to the closing
   * balance. `false`: they do not, or something was unreadable, so no line may pay automatically. `null`: no proof,
   * because a balance is missing, as in reports.
   */
  readonly balanced: boolean | null;
  /** Balanced CSV only: entries whose amounts the balances do not prove. */
  readonly unproven?: ReadonlySet<number>;
  /** First and last day whose bookings are complete (`YYYY-MM-DD`): camt.053 and MT940 only. */
  readonly coversFrom: string | null;
  readonly coversUntil: string | null;
}

export interface StatementWarning {
  readonly code: string;
  readonly detail: string;
}

/** Output of a reader in file order: lines, then their statement. */
export type StatementPiece =
  | { readonly type: 'line'; readonly line: StatementLine }
  | { readonly type: 'statement'; readonly statement: BankStatement }
  | { readonly type: 'warning'; readonly warning: StatementWarning }
  | { readonly type: 'format'; readonly format: string };
