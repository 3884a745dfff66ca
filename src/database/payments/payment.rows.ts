import type { FeeRate } from '../ledger/fee-rate.entity.js';
import type { Payment } from './payment.entity.js';

/** A payment, and what its merchant pays for an order that it completes; null = nothing. */
export type PricedPayment = Payment & {
  readonly price: Pick<FeeRate, 'partsPerMillion' | 'fixed'> | null;
};

/** The price of a payment `p`, and where it stands. */
export const PRICE = `CASE WHEN f.merchant_id IS NOT NULL THEN
  json_build_object('partsPerMillion', f.parts_per_million, 'fixed', f.fixed) END`;
export const PRICE_JOIN = `LEFT JOIN fee_rates f ON f.merchant_id = p.merchant_id
  AND f.provider = p.provider AND f.currency = p.currency`;
