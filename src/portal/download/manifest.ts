import { currencyExponent } from '../../common/currencies.js';
import { UNKNOWN_EXPONENT } from '../../common/money.js';
import type { HistorySum } from '../../database/repositories/history-sums.js';
import type { Mode } from '../../database/entities/api-key.entity.js';
import type { Preset } from './presets.js';

/** What a file is and how it came about, for whoever has to trust it later. */
export interface Manifest {
  readonly file: string;
  readonly merchantId: string | null;
  readonly mode: Mode;
  /** As the list's address has it. */
  readonly filter: string;
  /** The rows are as they were then; RFC 3339. */
  readonly cutOff: string;
  readonly timeZone: string;
  readonly preset: Preset;
  readonly locale: string;
  readonly payerMasked: boolean;
  /** The cells of the first line. */
  readonly columns: readonly string[];
  readonly rows: number;
  readonly totals: readonly ManifestTotal[];
  readonly bytes: number;
  /** Of the file as it is downloaded, in hexadecimal digits. */
  readonly sha256: string;
  readonly requestedBy: string;
  readonly requestedAt: string;
  readonly madeAt: string;
}

/** Amounts in major units. */
export interface ManifestTotal {
  readonly currency: string;
  readonly orders: number;
  readonly amount: string;
  readonly amountReceived: string;
  readonly amountRefunded: string;
  /** Of the orders that are paid, as is `net`. */
  readonly fee: string;
  readonly net: string;
}

/** Sums of the parts of a file. Sums of many orders may be more than a number holds exactly. */
export class Totals {
  private readonly byCurrency = new Map<string, HistorySum>();

  readonly add = (parts: readonly HistorySum[]): void => {
    for (const part of parts) {
      const sum = this.byCurrency.get(part.currency);
      this.byCurrency.set(part.currency, sum ? sumOf(sum, part) : part);
    }
  };

  list(): ManifestTotal[] {
    return [...this.byCurrency.values()]
      .toSorted((a, b) => (a.currency < b.currency ? -1 : 1))
      .map(({ currency, orders, ...sums }) => ({
        currency,
        orders,
        amount: majorUnits(sums.amount, currency),
        amountReceived: majorUnits(sums.amountReceived, currency),
        amountRefunded: majorUnits(sums.amountRefunded, currency),
        fee: majorUnits(sums.fee, currency),
        net: majorUnits(sums.net, currency),
      }));
  }
}

const sumOf = (a: HistorySum, b: HistorySum): HistorySum => ({
  currency: a.currency,
  orders: a.orders + b.orders,
  amount: a.amount + b.amount,
  amountReceived: a.amountReceived + b.amountReceived,
  amountRefunded: a.amountRefunded + b.amountRefunded,
  fee: a.fee + b.fee,
  net: a.net + b.net,
});

/** Like `toMajorUnits`, for sums of any size; in two digits where the currency is no longer known. */
export function majorUnits(minor: bigint, currency: string): string {
  const exponent = currencyExponent(currency) ?? UNKNOWN_EXPONENT;
  const sign = minor < 0n ? '-' : '';
  const digits = String(minor < 0n ? -minor : minor).padStart(exponent + 1, '0');
  if (exponent === 0) return sign + digits;
  return `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}
