import { type BankAmount } from '../amount.js';
import type { RowProof } from '../statement-draft.js';

/** A row with a balance, with the sums of the rows around it. */
interface Step {
  /** Entry number. */
  readonly at: number;
  readonly balance: bigint;
  readonly currency: string | null;
  /** Sum of all earlier rows. */
  readonly before: bigint;
  /** Sum of this and all earlier rows. */
  readonly until: bigint;
}

export interface RowPosition {
  readonly day: string;
  /** Entry number. */
  readonly at: number;
}

/** Rows that fit into the text of one transfer. */
const FORGED_ROWS_MAX = 5;

/** Which row the file starts with. */
type RowOrder = 'oldestFirst' | 'newestFirst';

/**
 * Checks the balance column, the only part of CSV that a payer cannot forge without knowing the account's balance.
 * Each balance has to follow from the previous one, also across rows without a balance. A row is proven if it and both
 * neighbours have balances. Next to any other row, a payer may have shifted its amount or other cells.
 */
export class RunningBalance {
  private first: Step | undefined;
  private last: Step | undefined;
  private total = 0n;
  private rows = 0;
  /** Whether each balance follows from the previous one, for each order of the rows. */
  private readonly fits = { oldestFirst: true, newestFirst: true };
  /** The same with both the order and the signs reversed. */
  private readonly fitsReversed = { oldestFirst: true, newestFirst: true };
  private lastDay = '';
  private hasLaterDay = false;
  private hasEarlierDay = false;
  /** Rows that have no balance, or a neighbour without one. */
  private readonly unproven = new Set<number>();
  /** The latest rows with the sum before each, oldest first. */
  private readonly recent: { readonly at: number; readonly before: bigint }[] = [];
  /** The previous record: the entry number of a row with a balance, or `gap` for any other record. */
  private previous: 'start' | 'gap' | number = 'start';

  /**
   * @param amount negative for outgoing money
   * @param balance account balance after the row; undefined if the row has none
   */
  add(
    { scaled, currency }: BankAmount,
    balance: bigint | undefined,
    { day, at }: RowPosition,
  ): void {
    const { last, total: before } = this;
    this.rows += 1;
    this.total += scaled;
    this.addDay(day);
    this.addRecent(at, before);
    if (balance === undefined) return this.addGap(at);
    if (this.previous === 'gap') this.unproven.add(at);
    this.previous = at;
    const step = { at, balance, currency, before, until: this.total };
    if (last) this.compare(last, step);
    this.first ??= step;
    this.last = step;
  }

  /**
   * Rows that cancel out prove nothing, although their balances fit: a payer who writes line breaks into the text of a
   * transfer can make them, where the bank copies its text unchanged.
   */
  private addRecent(at: number, before: bigint): void {
    this.recent.push({ at, before });
    const start = this.recent.findIndex((row) => row.before === this.total);
    if (start >= 0) for (const row of this.recent.slice(start)) this.unproven.add(row.at);
    if (this.recent.length === FORGED_ROWS_MAX) this.recent.shift();
  }

  /**
   * Adds a record other than a booked row with a balance.
   * @param at entry number, if the record is an entry
   */
  addGap(at?: number): void {
    if (at !== undefined) this.unproven.add(at);
    if (typeof this.previous === 'number') this.unproven.add(this.previous);
    this.previous = 'gap';
  }

  /** Whether each balance follows from the previous or from the next one. */
  private get isUnbroken(): boolean {
    const { fits, orderOfDays } = this;
    return orderOfDays ? fits[orderOfDays] : fits.oldestFirst || fits.newestFirst;
  }

  /** Whether the balances fit, but the order of the rows is unknown. */
  get isOrderUnknown(): boolean {
    return this.first !== this.last && this.isUnbroken && this.order === undefined;
  }

  get proof(): RowProof {
    const { isUnbroken, order, first, last } = this;
    const oldest = order === 'newestFirst' ? last : first;
    // The balance before the oldest row is calculated from its amount, so it proves nothing.
    if (!oldest || order === undefined) return { isUnbroken, unproven: 'all' };
    this.unproven.add(oldest.at);
    return { isUnbroken, unproven: this.unproven };
  }

  get opening(): BankAmount | undefined {
    const { first, last, total, bounds } = this;
    if (!first || !last || !bounds) return undefined;
    return bounds === 'oldestFirst'
      ? money(first.balance - first.until, first)
      : money(last.balance - (total - last.before), last);
  }

  get closing(): BankAmount | undefined {
    const { first, last, total, bounds } = this;
    if (!first || !last || !bounds) return undefined;
    return bounds === 'oldestFirst'
      ? money(last.balance + total - last.until, last)
      : money(first.balance + first.before, first);
  }

  /** The order for opening and closing balance. A single row is both the oldest and the newest. */
  private get bounds(): RowOrder | undefined {
    return this.rows === 1 ? 'oldestFirst' : this.order;
  }

  /** From the dates; otherwise the balances must fit in exactly one order, and not with order and signs reversed. */
  private get order(): RowOrder | undefined {
    const { fits, fitsReversed, orderOfDays } = this;
    if (orderOfDays) return orderOfDays;
    if (fits.oldestFirst === fits.newestFirst) return undefined;
    const order = fits.oldestFirst ? 'oldestFirst' : 'newestFirst';
    return fitsReversed[order] ? undefined : order;
  }

  private get orderOfDays(): RowOrder | undefined {
    const { hasLaterDay, hasEarlierDay } = this;
    if (hasLaterDay === hasEarlierDay) return undefined;
    return hasLaterDay ? 'oldestFirst' : 'newestFirst';
  }

  private addDay(day: string): void {
    this.hasLaterDay ||= this.lastDay !== '' && day > this.lastDay;
    this.hasEarlierDay ||= day < this.lastDay;
    this.lastDay = day;
  }

  private compare(last: Step, step: Step): void {
    const change = step.balance - last.balance;
    const behind = step.until - last.until;
    const before = step.before - last.before;
    const { fits, fitsReversed } = this;
    if (change !== behind) fits.oldestFirst = false;
    if (change !== -before) fits.newestFirst = false;
    if (change !== before) fitsReversed.oldestFirst = false;
    if (change !== -behind) fitsReversed.newestFirst = false;
  }
}

const money = (scaled: bigint, { currency }: Step): BankAmount => ({ scaled, currency });
