import type { Statement } from '../database.js';
import { columnsOf, insertOf, parametersOf } from '../entity-sql.js';
import { earliest, fairOrder } from '../fair-order.js';
import { NEW_REFUND, Refund } from './refund.entity.js';

const COLUMNS = columnsOf('r', Refund);
const WITH_ORDER = `SELECT ${COLUMNS}, o.order_merchant_id AS "orderMerchantId"
  FROM refunds r JOIN orders o ON o.merchant_id = r.merchant_id AND o.txid = r.txid`;

export const INSERT_REFUND = `WITH r AS (${insertOf(Refund, parametersOf(NEW_REFUND))} RETURNING *)
  SELECT ${COLUMNS} FROM r`;

export const FIND_REFUND: Statement = {
  name: 'refund_find',
  text: `${WITH_ORDER} WHERE r.merchant_id = $1 AND r.mode = $2 AND r.id = $3`,
};

export const FIND_REFUND_BY_KEY: Statement = {
  name: 'refund_find_by_key',
  text: `SELECT ${COLUMNS} FROM refunds r WHERE r.merchant_id = $1 AND r.id = $2`,
};

export const FIND_BY_MERCHANT_ID = `SELECT ${COLUMNS} FROM refunds r
  WHERE r.merchant_id = $1 AND r.mode = $2 AND r.refund_merchant_id = $3`;

export const CREATOR_OF_KEY = `SELECT created_by AS "createdBy" FROM api_keys
  WHERE merchant_id = $1 AND id = $2`;

/** Newest first, created before `$3`; some statuses or all, of one order or all. */
export const LIST_REFUNDS: Statement = {
  name: 'refund_list',
  text: `${WITH_ORDER} WHERE r.merchant_id = $1 AND r.mode = $2
    AND ($3::uuid IS NULL OR r.id < $3) AND ($4::text[] IS NULL OR r.status = ANY ($4))
    AND ($5::uuid IS NULL OR r.txid = $5)
    ORDER BY r.id DESC LIMIT $6`,
};

/** Newest first. */
export const REFUNDS_OF_ORDER: Statement = {
  name: 'refunds_of_order',
  text: `SELECT ${COLUMNS} FROM refunds r WHERE r.merchant_id = $1 AND r.txid = $2 ORDER BY r.id DESC`,
};

export const LOCK_REFUND = `SELECT ${COLUMNS} FROM refunds r
  WHERE r.merchant_id = $1 AND r.id = $2 FOR UPDATE`;

export const REQUESTED_WITHOUT_PAYOUT = `SELECT ${COLUMNS} FROM refunds r
  WHERE r.merchant_id = $1 AND r.txid = $2 AND r.status = 'requested'
    AND NOT EXISTS (SELECT FROM payouts p WHERE p.merchant_id = r.merchant_id AND p.refund_id = r.id)
  ORDER BY r.id`;

/** Refunds by key, sorted by order. */
export const REFUNDS_OF_PAYOUTS = `SELECT ${COLUMNS} FROM refunds r
  JOIN unnest($1::uuid[], $2::uuid[]) k (merchant_id, id) ON r.merchant_id = k.merchant_id AND r.id = k.id
  ORDER BY r.merchant_id, r.txid, r.id`;

/** Money of the order's payments that went back or is about to, by payment. */
export const GIVEN_BACK_OF_PAYMENTS = `SELECT id AS "paymentId", given_back(merchant_id, id, txid) AS amount
  FROM payments WHERE merchant_id = $1 AND txid = $2`;

/** Refunds of the order, whatever became of them, and what of the merchant's money they hold or have paid. */
export const TOTALS_OF_ORDER = `SELECT count(*)::integer AS refunds, coalesce(sum(amount - from_unallocated)
    FILTER (WHERE status IN ('requested', 'approved', 'submitted', 'succeeded')), 0)::bigint AS own
  FROM refunds WHERE merchant_id = $1 AND txid = $2`;

/** Counts the attempt before the provider is called, so that nobody cancels a refund that it may have received. */
export const CLAIM_REFUND: Statement = {
  name: 'refund_claim',
  text: `UPDATE refunds r SET attempts = attempts + 1, next_attempt_at = $4
    WHERE merchant_id = $1 AND id = $2 AND attempts = $3 AND next_attempt_at IS NOT NULL
      AND status IN ('approved', 'submitted') RETURNING ${COLUMNS}`,
};

export const SCHEDULE_REFUND: Statement = {
  name: 'refund_schedule',
  text: `UPDATE refunds SET next_attempt_at = $4 WHERE merchant_id = $1 AND id = $2 AND attempts = $3
    AND next_attempt_at IS NOT NULL RETURNING id`,
};

const DUE = {
  table: 'refunds',
  due: 'next_attempt_at IS NOT NULL',
  order: 'next_attempt_at',
  mode: 'r.mode',
} as const;

export const DUE_REFUNDS: Statement = {
  name: 'refunds_due',
  text: fairOrder({
    ...DUE,
    due: `${DUE.due} AND next_attempt_at <= $1`,
    columns: columnsOf('r', Refund),
    limit: '$2',
  }),
};

export const NEXT_DUE_REFUND: Statement = {
  name: 'refunds_next_due',
  text: `SELECT (${earliest(DUE)}) AS "nextDue"`,
};
