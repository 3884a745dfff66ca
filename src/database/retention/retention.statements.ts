import type { Statement } from '../database.js';
import { setOf } from '../entity-sql.js';
import { WITH_TEXT } from '../orders/order-note.entity.js';
import {
  ERASED_ORDER,
  KEPT_WITH_MONEY,
  KEPT_WITHOUT_MONEY,
  Order,
} from '../orders/order.entity.js';
import { WITH_WORDS } from '../providers/provider-event.entity.js';
import { fairOrder } from '../fair-order.js';

/** Data with a retention period. */
export type RetentionRule = 'unpaid' | 'payers' | 'reports' | 'notes';

/** `$1` the lowest id that is kept. Ids are sorted by creation time. */
const due = (rule: RetentionRule, table: string, id: string, kept: string): Statement => ({
  name: `retention_${rule}`,
  text: fairOrder({
    columns: `merchant_id AS "merchantId", ${id} AS id`,
    table,
    due: `${kept} AND ${id} < $1`,
    order: id,
    limit: '$2',
  }),
});

export const DUE_BY_PERIOD: Readonly<Record<RetentionRule, Statement>> = {
  unpaid: due('unpaid', 'orders', 'txid', KEPT_WITHOUT_MONEY),
  payers: due('payers', 'orders', 'txid', KEPT_WITH_MONEY),
  reports: due('reports', 'provider_events', 'id', WITH_WORDS),
  notes: due('notes', 'order_notes', 'id', WITH_TEXT),
};

/** Only finished orders are erased. */
const ENDED = `status IN ('paid', 'failed', 'cancelled', 'expired')`;

const WITHOUT_TEXT = `UPDATE order_notes SET text = '[erased]'`;

/** `$1` the merchant, `$2` the orders; only those that meet the condition. Locks the orders first. */
const eraseOrders = (such: string, asUnpaid: boolean): string => `
  WITH ended AS (
    SELECT txid FROM orders
    WHERE merchant_id = $1 AND txid = ANY($2::uuid[]) AND ${such}
    ORDER BY txid FOR NO KEY UPDATE
  ), paid AS (
    UPDATE payments SET payer_account_number = NULL, payer_account_type = NULL,
      payer_account_name = NULL, redirect_url = NULL
    WHERE merchant_id = $1 AND txid IN (SELECT txid FROM ended)
    RETURNING id
  ), booked AS (
    UPDATE sandbox_transactions SET payer_account_number = NULL, payer_account_type = NULL,
      payer_account_name = NULL
    WHERE merchant_id = $1 AND payment_id IN (SELECT id FROM paid)
  ), refunded AS (
    UPDATE refunds SET reason = NULL WHERE merchant_id = $1 AND txid IN (SELECT txid FROM ended)
  ), noted AS (
    ${WITHOUT_TEXT}
    WHERE merchant_id = $1 AND txid IN (SELECT txid FROM ended)
  )
  UPDATE orders SET ${setOf(Order, ERASED_ORDER)},
    erased_at = coalesce(erased_at, now()), erased_as_unpaid = ${asUnpaid}
  WHERE merchant_id = $1 AND txid IN (SELECT txid FROM ended)
  RETURNING txid`;

const WITHOUT_PAYER = `UPDATE provider_events SET body = '', report = without_payer(report)`;

export const ERASE_ENDED = eraseOrders(ENDED, false);

/** `$1` the merchant, `$2` the ids. */
export const ERASE: Readonly<Record<RetentionRule, string>> = {
  unpaid: eraseOrders(KEPT_WITHOUT_MONEY, true),
  payers: eraseOrders(KEPT_WITH_MONEY, false),
  reports: `${WITHOUT_PAYER}
    WHERE merchant_id = $1 AND id = ANY($2::uuid[]) AND ${WITH_WORDS}`,
  notes: `${WITHOUT_TEXT} WHERE merchant_id = $1 AND id = ANY($2::uuid[]) AND ${WITH_TEXT}`,
};

/** `$1` the merchant, `$2` the orders, `$3` an id older than the orders. */
export const ERASE_REPORTS_OF_ORDERS = `${WITHOUT_PAYER}
  WHERE merchant_id = $1 AND id >= $3 AND ${WITH_WORDS} AND payment_id IN
    (SELECT id FROM payments WHERE merchant_id = $1 AND txid = ANY($2::uuid[]))`;

/**
 * Erases messages about unknown payments that contain the payer: `$1` the merchant, `$2` a regular expression. Messages
 * that need review are kept, because nothing else shows whose money it is.
 */
export const ERASE_STRAY_REPORTS = `
  WITH stray AS (
    SELECT id, handled_at IS NOT NULL AS handled FROM provider_events e
    WHERE merchant_id = $1 AND ${WITH_WORDS} AND (body ~* $2 OR report::text ~* $2) AND NOT EXISTS
      (SELECT FROM payments p WHERE p.merchant_id = e.merchant_id AND p.id = e.payment_id)
  ), gone AS (
    ${WITHOUT_PAYER} WHERE merchant_id = $1 AND id IN (SELECT id FROM stray WHERE handled)
  )
  SELECT count(*) FILTER (WHERE handled)::integer AS erased,
    count(*) FILTER (WHERE NOT handled)::integer AS waiting FROM stray`;

/** Orders of a merchant by payer: `$2` an e-mail address, or `$3` an account. */
export const ORDERS_OF_PAYER: Statement = {
  name: 'retention_orders_of_payer',
  text: `SELECT txid, status FROM orders
    WHERE merchant_id = $1 AND mode IN ('test', 'live') AND lower(customer_email) = lower($2)
    UNION
    SELECT o.txid, o.status FROM payments p
    JOIN orders o ON o.merchant_id = p.merchant_id AND o.txid = p.txid
    WHERE p.merchant_id = $1 AND reverse(lower(replace(p.payer_account_number, ' ', ''))) =
      reverse(lower(replace($3, ' ', '')))
    ORDER BY txid`,
};

export const PURGE_SESSIONS: Statement = {
  name: 'user_sessions_purge',
  text: `DELETE FROM user_sessions WHERE id IN
    (SELECT id FROM user_sessions WHERE id < $1 ORDER BY id LIMIT $2) RETURNING id`,
};
