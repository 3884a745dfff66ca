import { type BankAmount } from '../amount.js';

/** A row with a balance, and what the rows around it come to. */
interface Step {
  /** Which row it is, from 0. */
  readonly at: number;
  readonly balance: bigint;
  readonly currency: string | null;
  /** All rows before it. */
  readonly before: bigint;
  /** It, and all rows before it. */
  readonly until: bigint;
}

/**
 * The balances beside rows, which may begin with the newest or with the oldest. A bank may tell one of a day only:
 * rows without a balance count towards the next that there is.
 */
export class RunningBalance {
  private first: Step | undefined;
  private last: Step | undefined;
  private total = 0n;
  private fitsUpwards = true;
  private fitsDownwards = true;
  private firstDay = '';
  private lastDay = '';
  private rows = 0;
  /** The first and the last row that balances alone can prove. */
  private unsure: { readonly from: number; readonly until: number } | undefined;

  /**
   * @param amount negative when money went out
   * @param balance what the account had after it; undefined when the row does not say
   * @param isUnsure whether something beside the balances speaks against the amount
   */
  add(
    { scaled, currency }: BankAmount,
    balance: bigint | undefined,
    day: string,
    isUnsure = false,
  ): void {
    const at = this.rows++;
    if (isUnsure) this.unsure = { from: this.unsure?.from ?? at, until: at };
    const { last, total: before } = this;
    this.total += scaled;
    this.firstDay ||= day;
    this.lastDay = day;
    if (balance === undefined) return;
    const step = { at, balance, currency, before, until: this.total };
    if (last) {
      if (last.balance + step.until - last.until !== balance) this.fitsUpwards = false;
      if (balance + step.before - last.before !== last.balance) this.fitsDownwards = false;
    }
    this.first ??= step;
    this.last = step;
  }

  /** Whether each balance follows from the one before it, or from the one behind it. */
  get isUnbroken(): boolean {
    return this.fitsUpwards || this.fitsDownwards;
  }

  /** Whether each unsure row stands between two balances, so that they tell what its amount is. */
  get provesUnsure(): boolean {
    const { first, last, unsure } = this;
    if (!unsure) return true;
    if (!first || !last) return false;
    return this.isUpwards
      ? first.at < unsure.from && unsure.until <= last.at
      : first.at <= unsure.from && unsure.until < last.at;
  }

  get opening(): BankAmount | undefined {
    const { first, last, total } = this;
    if (!first || !last) return undefined;
    return this.isUpwards
      ? money(first.balance - first.until, first)
      : money(last.balance - (total - last.before), last);
  }

  get closing(): BankAmount | undefined {
    const { first, last, total } = this;
    if (!first || !last) return undefined;
    return this.isUpwards
      ? money(last.balance + total - last.until, last)
      : money(first.balance + first.before, first);
  }

  /** Where the balances fit both ways, days tell, and else that a balance stands on the last row of its day. */
  private get isUpwards(): boolean {
    if (!this.fitsUpwards || !this.fitsDownwards) return this.fitsUpwards;
    if (this.firstDay !== this.lastDay) return this.firstDay < this.lastDay;
    return this.last?.until === this.total;
  }
}

const money = (scaled: bigint, { currency }: Step): BankAmount => ({ scaled, currency });
