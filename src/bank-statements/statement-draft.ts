import { type BankAmount, formatAmount, formatScaled, toMinorUnits } from './amount.js';
import type { BankDay } from './bank-day.js';
import { checkLength } from './lengths.js';
import { quoted } from './refused.js';
import type {
  BankStatement,
  LineStatus,
  MoneyDirection,
  StatementLine,
  StatementPiece,
} from './statement.js';
import { mayCancelOut } from './zero-sum.js';

/** Pieces of a file that are not consumed yet. */
export class PieceQueue {
  private pieces: StatementPiece[] = [];

  push(piece: StatementPiece): void {
    this.pieces.push(piece);
  }

  warn(code: string, detail: string): void {
    this.push({ type: 'warning', warning: { code, detail } });
  }

  /** ISO text of a day; warns if the bank's date does not exist. */
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

/** Result of checking the balance column of CSV. */
export interface RowProof {
  /** Each balance follows from the previous one. */
  readonly isUnbroken: boolean;
  /** Entries whose amounts the balances do not prove. */
  readonly unproven: ReadonlySet<number> | 'all';
}

export interface Tally {
  readonly entries: number;
  /** Sum in the scale of `BankAmount`. */
  readonly scaled: bigint;
}

export type Tallies = Readonly<Record<LineStatus, Record<MoneyDirection, Tally>>>;

const NO_ENTRIES: Tally = { entries: 0, scaled: 0n };

/** A statement being read: its header, and the sums of its entries. */
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
  /** Something that may be an entry or a balance was unreadable. */
  isIncomplete = false;
  /** The statement may begin inside a payer's text. */
  isDoubtful = false;
  /** Some entries cancel out, and a single payer may have forged all of them. */
  hasCancellingRun = false;
  /** The entries lead from the opening to the closing balance; set by `finish`. */
  hasFittingBalances = false;

  readonly tallies: Tallies = {
    booked: { in: NO_ENTRIES, out: NO_ENTRIES },
    announced: { in: NO_ENTRIES, out: NO_ENTRIES },
  };
  private readonly currencies = new Set<string | null>();
  private readonly doubtful: bigint[] = [];

  /** Counts an entry once, however many transactions it has. */
  count(amount: BankAmount, direction: MoneyDirection, isBooked: boolean): void {
    this.entries += 1;
    this.currencies.add(amount.currency);
    const tally = this.tallies[isBooked ? 'booked' : 'announced'];
    const { entries, scaled } = tally[direction];
    tally[direction] = { entries: entries + 1, scaled: scaled + amount.scaled };
  }

  /** Marks a counted entry as possibly forged by a payer. @param amount negative = outgoing */
  doubt(amount: bigint): void {
    if (amount !== 0n) this.doubtful.push(amount);
  }

  /** @param where location for the warning about balances that do not fit */
  finish(pieces: PieceQueue, where: string, format: string, rows?: RowProof): BankStatement {
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
      balanced: rows ? balancedBy(rows, balanced) : balanced,
      ...(rows && rows.unproven !== 'all' ? { unproven: rows.unproven } : {}),
      // An incomplete statement does not cover its days.
      coversFrom: this.isIncomplete ? null : coversFrom,
      coversUntil: this.isIncomplete ? null : coversUntil,
    };
    pieces.push({ type: 'statement', statement });
    return statement;
  }

  /** Value of `BankStatement.balanced`. */
  private proof(pieces: PieceQueue, where: string): boolean | null {
    const { opening, closing } = this;
    const odd = opening && closing ? this.balanceMismatch(opening, closing) : null;
    if (odd) pieces.warn('not_balanced', `${where}: ${odd}`);
    this.hasFittingBalances = opening !== undefined && closing !== undefined && odd === null;
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

  /** Error text if the entries do not lead from the opening to the closing balance, otherwise null. */
  private balanceMismatch(opening: BankAmount, closing: BankAmount): string | null {
    const currencies = new Set([opening.currency, closing.currency, ...this.currencies]);
    currencies.delete(null);
    if (currencies.size > 1) {
      const some = [...currencies].slice(0, 3).map((each) => quoted(each!));
      return `its balances and entries are in several currencies: ${some.join(', ')}.`;
    }
    const { booked } = this.tallies;
    const gap = opening.scaled + booked.in.scaled - booked.out.scaled - closing.scaled;
    return gap === 0n ? null : `the entries lead ${formatScaled(gap)} beyond the closing balance.`;
  }

  private onlyCurrency(): string | null {
    const [only = null, ...others] = this.currencies;
    return others.length === 0 ? only : null;
  }
}

function balancedBy({ isUnbroken, unproven }: RowProof, balanced: boolean | null): boolean | null {
  if (!isUnbroken) return false;
  return balanced && unproven === 'all' ? null : balanced;
}

/** Amount columns of a line, with a warning if the amount is invalid in its currency. */
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
    pieces.warn('amount_as_text', `${where}: ${formatAmount(amount)} ${why}.`);
  }
  return {
    amount: minor,
    amountText: minor === null ? formatScaled(amount.scaled) : null,
    currency,
    usable: amount.scaled !== 0n && !isOdd,
  };
}
