import type { Statement } from './store.js';

const statement = (name: string, text: string): Statement => ({ name, text });

export const MERCHANT_BY_KEY = statement(
  'merchant_by_key',
  'SELECT merchant_id AS "merchantId" FROM api_keys WHERE key_hash = $1',
);

export const ACCOUNT = statement(
  'account',
  `SELECT merchant_id AS "merchantId", callback_secret AS secret FROM provider_accounts WHERE id = $1`,
);

const ORDER = `o.txid, o.order_merchant_id AS "orderMerchantId", o.mode, o.status,
  o.status_reason AS "statusReason", o.amount, o.currency, o.amount_received AS "amountReceived",
  o.description, o.customer_name AS "customerName", o.customer_email AS "customerEmail",
  o.optional_fields AS "optionalFields", o.page_token AS "pageToken", o.return_url AS "returnUrl",
  o.locale, o.created_at AS "createdAt", o.updated_at AS "updatedAt", o.expires_at AS "expiresAt",
  o.paid_at AS "paidAt"`;
const PAYMENT = `p.id AS "paymentId", p.provider, p.provider_reference AS "providerReference",
  p.status AS "paymentStatus", p.amount_received AS "paymentReceived",
  p.payer_account_number AS "payerAccountNumber", p.payer_account_name AS "payerAccountName",
  p.created_at AS "paymentCreatedAt", p.completed_at AS "completedAt"`;
const WITH_PAYMENT = `SELECT ${ORDER}, ${PAYMENT} FROM orders o
  LEFT JOIN payments p ON p.merchant_id = o.merchant_id AND p.id = o.payment_id`;

/** Order, event and, where there is a key, the remembered answer: one commit. */
export const CREATE = statement(
  'create',
  `WITH created AS (
    INSERT INTO orders (merchant_id, txid, mode, order_merchant_id, content_hash, status, amount,
      currency, description, customer_name, customer_email, optional_fields, page_token, return_url,
      locale, created_at, updated_at, expires_at)
    VALUES ($1, $2, 'test', $3, $4, 'open', $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $14, $15)
    ON CONFLICT (merchant_id, order_merchant_id) DO NOTHING RETURNING txid
  ), remembered AS (
    INSERT INTO idempotency_records
    SELECT $1, 'POST /api/order', $16::text, $4, txid, $17::text, $14 FROM created
    WHERE $16::text IS NOT NULL
  ), happened AS (
    INSERT INTO events (merchant_id, id, txid, sequence, type, data, created_at)
    SELECT $1, $18, txid, 1, 'order.created', '{"status": "open"}', $14 FROM created
  )
  SELECT txid FROM created`,
);

export const REMEMBERED = statement(
  'remembered',
  `SELECT content_hash AS "contentHash", body FROM idempotency_records
  WHERE merchant_id = $1 AND route = 'POST /api/order' AND key = $2`,
);

export const BY_TXID = statement(
  'by_txid',
  `${WITH_PAYMENT} WHERE o.merchant_id = $1 AND o.txid = $2`,
);
export const BY_MERCHANT_ID = statement(
  'by_merchant_id',
  `${WITH_PAYMENT} WHERE o.merchant_id = $1 AND o.order_merchant_id = $2`,
);

const STATUS = `SELECT txid, order_merchant_id AS "orderMerchantId", status,
  status_reason AS "statusReason", amount, currency, amount_received AS "amountReceived",
  paid_at AS "paidAt", updated_at AS "updatedAt" FROM orders`;
export const STATUS_BY_TXID = statement(
  'status_by_txid',
  `${STATUS} WHERE merchant_id = $1 AND txid = $2`,
);
export const STATUS_BY_MERCHANT_ID = statement(
  'status_by_merchant_id',
  `${STATUS} WHERE merchant_id = $1 AND order_merchant_id = $2`,
);

export const CANCEL = statement(
  'cancel',
  `WITH changed AS (
    UPDATE orders SET status = 'cancelled', status_reason = 'by_merchant', version = version + 1,
      updated_at = now()
    WHERE merchant_id = $1 AND txid = $2 AND status = 'open' RETURNING *
  ), happened AS (
    INSERT INTO events (merchant_id, id, txid, sequence, type, data, created_at)
    SELECT $1, $3, txid, version, 'order.cancelled', '{"status": "cancelled"}', updated_at FROM changed
  )
  SELECT ${ORDER} FROM changed o`,
);

export const START = statement(
  'start',
  `WITH started AS (
    UPDATE orders SET status = 'processing', status_reason = 'awaiting_provider', payment_id = $2,
      version = version + 1, updated_at = now()
    WHERE page_token = $1 AND status = 'open' RETURNING *
  )
  INSERT INTO payments (merchant_id, id, txid, provider, status, amount, currency, created_at)
  SELECT merchant_id, $2, txid, 'sandbox', 'pending', amount, currency, updated_at FROM started`,
);

/** What was received, the payment, its two sides in the book, the order and its event: one commit. */
export const PAID = statement(
  'paid',
  `WITH received AS (
    INSERT INTO provider_events VALUES ($1, $2, $3, $4, $5, now()) ON CONFLICT DO NOTHING
    RETURNING payment_id
  ), paid AS (
    UPDATE payments p SET status = 'succeeded', amount_received = $6, payer_account_number = $7,
      payer_account_name = $8, completed_at = now()
    FROM received r WHERE p.merchant_id = $1 AND p.id = r.payment_id AND p.status = 'pending'
      AND p.amount = $6 AND p.currency = $9
    RETURNING p.*
  ), booked AS (
    INSERT INTO ledger_entries SELECT $1, id, s.account, s.amount, currency, completed_at
    FROM paid CROSS JOIN (VALUES ('clearing:sandbox', -$6::bigint), ('available', $6::bigint))
      s (account, amount)
  ), changed AS (
    UPDATE orders o SET status = 'paid', status_reason = 'exact', amount_received = $6,
      version = version + 1, paid_at = now(), updated_at = now()
    FROM paid p WHERE o.merchant_id = $1 AND o.txid = p.txid AND o.status = 'processing'
    RETURNING o.*
  ), happened AS (
    INSERT INTO events (merchant_id, id, txid, sequence, type, data, created_at)
    SELECT $1, $10, txid, version, 'order.paid', '{"status": "paid"}', paid_at FROM changed
  )
  SELECT txid FROM changed`,
);

export const PAGE = statement(
  'page',
  `SELECT ${ORDER}, m.name AS merchant FROM orders o JOIN merchants m ON m.id = o.merchant_id
  WHERE o.page_token = $1`,
);

export const FEED = statement(
  'feed',
  `SELECT e.id, e.sequence, e.type, e.data, e.created_at AS "happenedAt", ${ORDER}
  FROM events e JOIN orders o ON o.merchant_id = e.merchant_id AND o.txid = e.txid
  WHERE e.merchant_id = $1 AND e.position >
    coalesce((SELECT position FROM events WHERE merchant_id = $1 AND id = $2::uuid), 0)
  ORDER BY e.position LIMIT $3`,
);

/** The rows from a place on, the newest first, for somebody who has signed in. */
export const HISTORY = statement(
  'history',
  `WITH keys AS MATERIALIZED (
    SELECT merchant_id, txid FROM orders
    WHERE merchant_id = $1 AND (created_at, txid) < ($3::timestamptz, $4::uuid)
    ORDER BY created_at DESC, txid DESC LIMIT $5
  )
  SELECT ${ORDER}, ${PAYMENT} FROM keys k JOIN user_sessions s ON s.token_hash = $2
    AND s.merchant_id = k.merchant_id
  JOIN orders o ON o.merchant_id = k.merchant_id AND o.txid = k.txid
  LEFT JOIN payments p ON p.merchant_id = o.merchant_id AND p.id = o.payment_id
  ORDER BY o.created_at DESC, o.txid DESC`,
);
