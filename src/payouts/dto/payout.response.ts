import type { PayoutLineKind } from '../../database/entities/payout-line.entity.js';
import type {
  KindSum,
  PayoutWithSums,
  ReadLine,
  ToldPayout,
} from '../../database/repositories/payout.repository.js';
import { maskAccount } from '../../notifications/mail/payer-account.js';

const rfc3339 = (moment: Date | null): string | null => moment && moment.toISOString();

/** The payout as programs read it. A whitelist: a new column stays private by default. */
export const payoutResponse = (payout: ToldPayout) => ({
  id: payout.id,
  mode: payout.mode,
  status: payout.status,
  statusReason: payout.statusReason,
  amount: payout.amount,
  currency: payout.currency,
  bankAccount: {
    holder: payout.holder,
    iban: maskAccount(payout.iban, 'iban'),
    country: payout.iban.slice(0, 2),
  },
  scheduled: payout.requestedBy === null,
  createdAt: rfc3339(payout.createdAt),
  updatedAt: rfc3339(payout.updatedAt),
  paidAt: rfc3339(payout.paidAt),
});

export type PayoutResponse = ReturnType<typeof payoutResponse>;

const NONE: KindSum = { count: 0, amount: 0 };

/** The payout with what its lines come to. */
export const payoutWithSums = (payout: PayoutWithSums) => {
  const sumOf = (kind: PayoutLineKind): KindSum => payout.sums[kind] ?? NONE;
  return {
    ...payoutResponse(payout),
    lines: { orders: sumOf('order'), fees: sumOf('fee'), corrections: sumOf('correction') },
  };
};

export type PayoutWithSumsResponse = ReturnType<typeof payoutWithSums>;

export const lineResponse = (line: ReadLine) => ({
  number: line.number,
  kind: line.kind,
  amount: line.amount,
  txid: line.txid,
  orderMerchantId: line.orderMerchantId,
  orderAmount: line.orderAmount,
  orderPaidAt: rfc3339(line.paidAt),
});

export type LineResponse = ReturnType<typeof lineResponse>;

export interface PayoutPageResponse {
  readonly data: readonly PayoutResponse[];
  /** For `after`, to read on; null when the page is empty. */
  readonly next: string | null;
  readonly hasMore: boolean;
}

export interface LinePageResponse {
  readonly data: readonly LineResponse[];
  /** For `after`, to read on; null when the page is empty. */
  readonly next: number | null;
  readonly hasMore: boolean;
}
