import { type BankAmount } from '../amount.js';

interface Step {
  readonly amount: BankAmount;
  readonly balance: bigint;
}

/** The balances beside rows, which may begin with the newest or with the oldest. */
export class RunningBalance {
  private first: Step | undefined;
  private last: Step | undefined;
  private upwards = true;
  private downwards = true;

  /** @param amount negative when money went out @param balance what the account had after it */
  add(amount: BankAmount, balance: bigint): void {
    const { last } = this;
    if (last) {
      if (last.balance + amount.scaled !== balance) this.upwards = false;
      if (balance + last.amount.scaled !== last.balance) this.downwards = false;
    }
    const step = { amount, balance };
    this.first ??= step;
    this.last = step;
  }

  /** Whether each balance follows from the one before it, or from the one behind it. */
  get isUnbroken(): boolean {
    return this.upwards || this.downwards;
  }

  get opening(): BankAmount | undefined {
    const oldest = this.upwards ? this.first : this.last;
    return oldest && this.money(oldest.balance - oldest.amount.scaled, oldest);
  }

  get closing(): BankAmount | undefined {
    const newest = this.upwards ? this.last : this.first;
    return newest && this.money(newest.balance, newest);
  }

  private money(scaled: bigint, { amount: { currency } }: Step): BankAmount {
    return { scaled, currency };
  }
}
