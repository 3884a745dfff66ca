import { type BankAmount, amountWords, scaledText, toMinorUnits } from './amount.js';
import type { BankDay } from './bank-day.js';
import { checkLength } from './lengths.js';
import { quoted } from './refused.js';
import type { MoneyDirection, BankStatement, StatementLine, StatementPiece } from './statement.js';
import { mayCancelOut } from './zero-sum.js';

/** The pieces of a file that nobody has taken yet. */
export class PieceQueue {
  private pieces: StatementPiece[] = [];

  push(piece: StatementPiece): void {
    this.pieces.push(piece);
  }

  warn(code: string, detail: string): void {
    this.push({ type: 'warning', warning: { code, detail } });
  }

  /** A day as its text, with a warning when the month does not have it. */
  day(read: BankDay, where: string): string {
    if (read.clamped) this.warn('day_clamped', `${where}: the month ends with ${read.day}.`);
    return read.day;
  }

  take(): StatementPiece[] {
    const taken = this.pieces;
    this.pieces = [];
    return taken;
  }
}

/** A statement while it is read: what stands in its head, and what its entries come to. */
export class StatementDraft {
  id: string | null = null;
  sequence: string | null = null;
  account: string | null = null;
  currency: string | null = null;
  opening: BankAmount | undefined;
  closing: BankAmount | undefined;
  entries = 0;
  coversFrom: string | null = null;
  coversUntil: string | null = null;
  /** Something that may be an entry or a balance could not be read. */
  isIncomplete = false;
  /** What came before it in the file may be a payer's text, and so may this statement. */
  isDoubtful = false;
  /** Some entries come to nothing, and one payer can have written them all. */
  hasCancellingRun = false;

  private sum = 0n;
  private readonly currencies = new Set<string | null>();
  private readonly doubtful: bigint[] = [];

  /** Counts an entry, once, however many transactions it has. */
  count(amount: BankAmount, direction: MoneyDirection, isBooked: boolean): void {
    this.entries += 1;
    this.currencies.add(amount.currency);
    if (isBooked) this.sum += direction === 'in' ? amount.scaled : -amount.scaled;
  }

  /** Says of an entry that was counted that a payer can have written it. */
  doubt(amount: bigint, direction: MoneyDirection): void {
    if (amount !== 0n) this.doubtful.push(direction === 'in' ? amount : -amount);
  }

  /**
   * @param where what is named in a warning when the balances do not follow from the entries
   * @param isUnbroken false where balances within the statement do not follow from each other
   */
  finish(pieces: PieceQueue, where: string, format: string, isUnbroken = true): BankStatement {
    const { id, sequence, account, opening, closing, coversFrom, coversUntil } = this;
    checkLength('account', account, where);
    for (const each of [this.currency, opening?.currency, closing?.currency]) {
      checkLength('currency', each ?? null, where);
    }
    const balanced = this.proof(pieces, where);
    const statement: BankStatement = {
      format,
      id,
      sequence,
      account,
      currency: this.currency ?? opening?.currency ?? closing?.currency ?? this.onlyCurrency(),
      openingBalance: opening ? toMinorUnits(opening) : null,
      closingBalance: closing ? toMinorUnits(closing) : null,
      balanced: isUnbroken ? balanced : false,
      // Without all of its entries it does not say what was booked on its days.
      coversFrom: this.isIncomplete ? null : coversFrom,
      coversUntil: this.isIncomplete ? null : coversUntil,
    };
    pieces.push({ type: 'statement', statement });
    return statement;
  }

  /** What `BankStatement.balanced` says. */
  private proof(pieces: PieceQueue, where: string): boolean | null {
    const { opening, closing } = this;
    const odd = opening && closing ? this.oddBalance(opening, closing) : null;
    if (odd) pieces.warn('not_balanced', `${where}: ${odd}`);
    if (odd !== null || this.isIncomplete) return false;
    if (!opening || !closing) return null;
    if (this.hasCancellingRun || mayCancelOut(this.doubtful)) {
      pieces.warn('doubtful_entries', `${where}: payers can have written entries that cancel out.`);
      return false;
    }
    if (this.isDoubtful) {
      pieces.warn('doubtful_start', `${where}: a payer can have written where it begins.`);
      return null;
    }
    return true;
  }

  /** Why the entries do not lead from one balance to the other; null when they do. */
  private oddBalance(opening: BankAmount, closing: BankAmount): string | null {
    const currencies = new Set([opening.currency, closing.currency, ...this.currencies]);
    currencies.delete(null);
    if (currencies.size > 1) {
      const some = [...currencies].slice(0, 3).map((each) => quoted(each!));
      return `its balances and entries are in several currencies: ${some.join(', ')}.`;
    }
    const gap = opening.scaled + this.sum - closing.scaled;
    return gap === 0n ? null : `the entries lead ${scaledText(gap)} beyond the closing balance.`;
  }

  private onlyCurrency(): string | null {
    const [only = null, ...others] = this.currencies;
    return others.length === 0 ? only : null;
  }
}

/** How an amount stands in a line, with a warning when it is none of its currency. */
export function lineAmount(
  amount: BankAmount | undefined,
  pieces: PieceQueue,
  where: string,
): Pick<StatementLine, 'amount' | 'amountText' | 'currency'> & { usable: boolean } {
  if (!amount) {
    pieces.warn('amount_missing', `${where}: there is no amount.`);
    return { amount: null, amountText: '', currency: null, usable: false };
  }
  const { currency } = amount;
  checkLength('currency', currency, where);
  const minor = toMinorUnits(amount);
  const isOdd = minor === null && toMinorUnits({ scaled: 0n, currency }) !== null;
  if (minor === null) {
    const why = isOdd ? 'is not whole in its currency' : 'is in a currency that is not known';
    pieces.warn('amount_as_text', `${where}: ${amountWords(amount)} ${why}.`);
  }
  return {
    amount: minor,
    amountText: minor === null ? scaledText(amount.scaled) : null,
    currency,
    usable: amount.scaled !== 0n && !isOdd,
  };
}
