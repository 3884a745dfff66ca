import type { FeeRate } from '../ledger/fee-rate.entity.js';
import type { Payment } from './payment.entity.js';

/** A payment with the merchant's fee rate; null = no fee. */
export type PricedPayment = Payment & {
  readonly price: Pick<FeeRate, 'partsPerMillion' | 'fixed'> | null;
};

/** Fee rate of a payment `p` as JSON, and its join. */
export const PRICE = `CASE WHEN f.merchant_id IS NOT NULL THEN
  json_build_object('partsPerMillion', f.parts_per_million, 'fixed', f.fixed) END`;
export const PRICE_JOIN = `LEFT JOIN fee_rates f ON f.merchant_id = p.merchant_id
  AND f.provider = p.provider AND f.currency = p.currency`;
