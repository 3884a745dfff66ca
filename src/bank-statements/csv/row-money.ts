import { currencyExponent } from '../../common/money/currencies.js';
import type { BankAmount } from '../amount.js';
import { textOrNull } from '../counterparty.js';
import { checkLength } from '../lengths.js';
import { quoted, refuse } from '../refused.js';
import { numberPattern, readNumber } from './csv-number.js';
import { type CsvProfile, plainSign } from './csv-profile.js';
import type { CsvRow } from './csv-row.js';

/** Parses the amount and the balance of rows by a profile. */
export class RowMoney {
  private readonly numbers: RegExp;

  constructor(private readonly profile: CsvProfile) {
    this.numbers = numberPattern(profile);
  }

  /** The number in a cell; undefined for any other text. */
  readonly numberIn = (text: string): bigint | undefined => readNumber(text, this.numbers);

  /** Signed amount, negative for outgoing money, regardless of the sign in the debit column. */
  amountOf(row: CsvRow): BankAmount {
    const { amount, debit, credit, sign, line } = row;
    const own = this.currencyOf(row);
    if (this.profile.columns.amount !== undefined) {
      const scaled = this.decimal(amount ?? '', own, line);
      return {
        scaled: this.profile.sign ? this.signed(scaled, sign ?? '', line) : scaled,
        currency: own,
      };
    }
    const given = [debit, credit].map((text) =>
      text?.trim() ? this.decimal(text, own, line) : null,
    );
    const [out, came] = given.map((each) => each ?? 0n) as [bigint, bigint];
    if ((out !== 0n && came !== 0n) || given.every((each) => each === null)) {
      refuse(`Line ${line}: it needs either a debit or a credit.`);
    }
    return { scaled: came === 0n ? (out < 0n ? out : -out) : came, currency: own };
  }

  /** Applies the direction column; refuses a row whose direction is unknown or contradictory. */
  private signed(scaled: bigint, sign: string, line: number): bigint {
    const { credit, debit } = this.profile.sign!;
    const is = (words: readonly string[]) =>
      words.some((word) => plainSign(word) === plainSign(sign));
    if (is(debit)) return scaled < 0n ? scaled : -scaled;
    if (!is(credit))
      refuse(`Line ${line}: the sign ${quoted(sign)} is neither a credit nor a debit.`);
    if (scaled < 0n) refuse(`Line ${line}: the amount is negative, and its sign says a credit.`);
    return scaled;
  }

  balanceOf(row: CsvRow): bigint | undefined {
    const { balance, line } = row;
    return balance?.trim() ? this.decimal(balance, this.currencyOf(row), line) : undefined;
  }

  /** Whether the amount or the balance of a row has decimals. */
  hasDecimals({ amount, debit, credit, balance }: CsvRow): boolean {
    return [amount, debit, credit, balance].some((text = '') => this.decimalsIn(text) > 0);
  }

  private currencyOf({ currency, line }: CsvRow): string | null {
    const own = textOrNull(currency) ?? this.profile.currency ?? null;
    checkLength('currency', own, `Line ${line}`);
    return own;
  }

  /** Rejects `1,000`, a thousand with thousands separator, if the profile has `,` as decimal separator. */
  private decimal(text: string, currency: string | null, line: number): bigint {
    const scaled = readNumber(text, this.numbers);
    if (scaled === undefined)
      return refuse(`Line ${line}: the amount ${quoted(text)} is no decimal number.`);
    const decimals = currency === null ? undefined : currencyExponent(currency);
    if (this.decimalsIn(text) > (decimals ?? Infinity))
      refuse(`Line ${line}: the amount ${quoted(text)} has more decimals than ${currency}.`);
    return scaled;
  }

  private decimalsIn(text: string): number {
    const [, decimals = ''] = text.split(this.profile.decimal);
    return decimals.replace(/\D/g, '').length;
  }
}
