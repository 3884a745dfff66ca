import { toMajorUnits } from '../common/money/money.js';
import type { Mode } from '../database/merchants/api-key.entity.js';
import type { OrderSum } from '../database/read-models/order-list/order-sums.js';
import type { Preset } from './presets.js';

/** Origin and content of a file, for later verification. */
export interface Manifest {
  readonly file: string;
  readonly merchantId: string | null;
  readonly mode: Mode;
  /** As in the list's URL. */
  readonly filter: string;
  /** Time of the snapshot; RFC 3339. */
  readonly cutOff: string;
  readonly timeZone: string;
  readonly preset: Preset;
  readonly locale: string;
  readonly payerMasked: boolean;
  /** Header cells. */
  readonly columns: readonly string[];
  readonly rows: number;
  readonly totals: readonly ManifestTotal[];
  readonly bytes: number;
  /** Hash of the downloaded file, hexadecimal. */
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
  /** Of the paid orders, like `net`. */
  readonly fee: string;
  readonly net: string;
}

/** Sums over the parts of a file. May exceed the exact range of numbers. */
export class Totals {
  private readonly byCurrency = new Map<string, OrderSum>();

  readonly add = (parts: readonly OrderSum[]): void => {
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
        amount: toMajorUnits(sums.amount, currency),
        amountReceived: toMajorUnits(sums.amountReceived, currency),
        amountRefunded: toMajorUnits(sums.amountRefunded, currency),
        fee: toMajorUnits(sums.fee, currency),
        net: toMajorUnits(sums.net, currency),
      }));
  }
}

const sumOf = (a: OrderSum, b: OrderSum): OrderSum => ({
  currency: a.currency,
  orders: a.orders + b.orders,
  amount: a.amount + b.amount,
  amountReceived: a.amountReceived + b.amountReceived,
  amountRefunded: a.amountRefunded + b.amountRefunded,
  fee: a.fee + b.fee,
  net: a.net + b.net,
});
