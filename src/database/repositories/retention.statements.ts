import type { Statement } from '../database.js';

/** Rows that are older than a rule allows and that it has not reached yet, over all merchants. */
const due = (table: string, id: string): string => `
  SELECT m.id AS "merchantId", due.id FROM merchants m
  LEFT JOIN retention_marks k ON k.merchant_id = m.id AND k.rule = $1
  CROSS JOIN LATERAL (
    SELECT ${id} AS id FROM ${table} r
    WHERE r.merchant_id = m.id AND r.${id} < $2
      AND r.${id} > coalesce(k.last_id, '00000000-0000-0000-0000-000000000000')
    ORDER BY r.${id} LIMIT $3
  ) due
  LIMIT $3`;

export const ORDERS_DUE: Statement = { name: 'retention_orders', text: due('orders', 'txid') };
export const REPORTS_DUE: Statement = {
  name: 'retention_reports',
  text: due('provider_events', 'id'),
};

/** Orders that still wait for something keep what they were made with. */
const ENDED = `status IN ('paid', 'failed', 'cancelled', 'expired')`;

/** $1 the merchant, $2 the orders, $3 whether only those without money. The order's lock comes first. */
export const ERASE_ORDERS = `
  WITH ended AS (
    SELECT txid FROM orders
    WHERE merchant_id = $1 AND txid = ANY($2::uuid[]) AND ${ENDED}
      AND (NOT $3::boolean OR NOT EXISTS (SELECT FROM payments p
        WHERE p.merchant_id = $1 AND p.txid = orders.txid AND p.amount_received IS NOT NULL))
    ORDER BY txid FOR NO KEY UPDATE
  ), paid AS (
    UPDATE payments SET payer_account_number = NULL, payer_account_type = NULL,
      payer_account_name = NULL, redirect_url = NULL
    WHERE merchant_id = $1 AND txid IN (SELECT txid FROM ended)
    RETURNING id
  ), booked AS (
    UPDATE sandbox_transactions SET payer_account_number = NULL, payer_account_name = NULL
    WHERE merchant_id = $1 AND payment_id IN (SELECT id FROM paid)
  ), noted AS (
    UPDATE order_notes SET text = '[erased]'
    WHERE merchant_id = $1 AND txid IN (SELECT txid FROM ended)
  )
  UPDATE orders SET description = NULL, customer_name = NULL, customer_email = NULL,
    optional_fields = '{}', return_url = NULL, cancel_url = NULL,
    erased_at = coalesce(erased_at, now())
  WHERE merchant_id = $1 AND txid IN (SELECT txid FROM ended)
  RETURNING txid`;

const WITHOUT_PAYER = `UPDATE provider_events SET body = '', report = without_payer(report)`;

/** $1 the merchant, $2 the messages. */
export const ERASE_REPORTS = `${WITHOUT_PAYER}
  WHERE merchant_id = $1 AND id = ANY($2::uuid[]) AND body <> ''`;

/** $1 the merchant, $2 the orders, $3 an id that is older than they are. */
export const ERASE_REPORTS_OF_ORDERS = `${WITHOUT_PAYER}
  WHERE merchant_id = $1 AND id >= $3 AND body <> '' AND payment_id IN
    (SELECT id FROM payments WHERE merchant_id = $1 AND txid = ANY($2::uuid[]))`;

export const MARK = `
  INSERT INTO retention_marks (merchant_id, rule, last_id) VALUES ($1, $2, $3)
  ON CONFLICT (merchant_id, rule)
    DO UPDATE SET last_id = greatest(retention_marks.last_id, excluded.last_id)`;

/** Orders of a merchant that are about somebody: $2 an e-mail address, or $3 an account. */
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
