import type { Statement } from '../database.js';
import { columnsOf } from '../entity-sql.js';
import { heldBy, JOIN_ACCOUNT } from '../payouts/bank-accounts/bank-account.statements.js';
import { HAS_ITS_BYTES, PAYS_ITS_PAYOUTS } from '../payouts/payout-file.statements.js';
import { PayoutFile } from '../payouts/payout-file.entity.js';
import { Payout } from '../payouts/payout.entity.js';

/** Totals of a payout's lines by kind. */
const SUMS = `SELECT
    count(*) FILTER (WHERE l.kind = 'order')::integer AS "orderLines",
    coalesce(sum(l.amount) FILTER (WHERE l.kind = 'order'), 0)::bigint AS orders,
    coalesce(sum(l.amount) FILTER (WHERE l.kind = 'fee'), 0)::bigint AS fees,
    coalesce(sum(l.amount) FILTER (WHERE l.kind = 'correction'), 0)::bigint AS corrections
  FROM payout_lines l WHERE l.merchant_id = p.merchant_id AND l.payout_id = p.id`;

/** Payouts with details for operators; without drafts. */
const payouts = (name: string, source: string): Statement => ({
  name,
  text: `SELECT ${columnsOf('p', Payout)}, m.name AS "merchantName",
      u.name AS "requestedByName", u.email AS "requestedByEmail", c.name AS "approvedByName",
      CASE p.status WHEN 'approved' THEN ${heldBy()} END AS "heldBy", s.*,
      o.txid AS "refundedTxid", o.order_merchant_id AS "refundedOrder"
    FROM (SELECT * FROM payouts WHERE status <> 'draft' AND ${source}) p
    JOIN merchants m ON m.id = p.merchant_id
    LEFT JOIN ${JOIN_ACCOUNT}
    LEFT JOIN users u ON u.id = p.requested_by
    LEFT JOIN users c ON c.id = p.approved_by
    LEFT JOIN refunds r ON r.merchant_id = p.merchant_id AND r.id = p.refund_id
    LEFT JOIN orders o ON o.merchant_id = r.merchant_id AND o.txid = r.txid
    CROSS JOIN LATERAL (${SUMS}) s
    ORDER BY p.id`,
});

/** Oldest first, after payout `$1`. */
const PAGE = '($1::uuid IS NULL OR id > $1) ORDER BY id LIMIT $2';

export const WAITING = payouts(
  'desk_waiting',
  `status = 'pending_approval' AND mode = $3 AND ${PAGE}`,
);

export const APPROVED = payouts(
  'desk_approved',
  `status = 'approved' AND mode = $3 AND currency = $4 AND ${PAGE}`,
);

export const OF_FILE = payouts('desk_of_file', `file_id = $3 AND ${PAGE}`);

export const FIND_PLATFORM_PAYOUT = payouts(
  'desk_find',
  'merchant_id = $1 AND mode = $2 AND id = $3',
);

/** Payouts that need action, by status and currency. */
export const PLATFORM_TOTALS: Statement = {
  name: 'desk_totals',
  text: `SELECT status, currency, count(*) FILTER (WHERE can_go)::integer AS payouts,
      coalesce(sum(amount) FILTER (WHERE can_go), 0)::bigint AS amount,
      count(*) FILTER (WHERE NOT can_go)::integer AS held
    FROM (
      SELECT p.status, p.currency, p.amount,
        p.status = 'pending_approval' OR ${heldBy()} IS NULL AS can_go
      FROM payouts p LEFT JOIN ${JOIN_ACCOUNT}
      WHERE p.mode = $1 AND p.status IN ('pending_approval', 'approved')
    ) p GROUP BY status, currency ORDER BY currency`,
};

/** The account with its history of paid and failed payouts. */
export const ACCOUNT: Statement = {
  name: 'desk_account',
  text: `SELECT a.created_at AS "createdAt", c.name AS "createdByName",
      a.confirmed_at AS "confirmedAt", f.name AS "confirmedByName", p.*
    FROM bank_accounts a
    JOIN users c ON c.id = a.created_by
    LEFT JOIN users f ON f.id = a.confirmed_by
    CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE p.status = 'paid')::integer AS paid,
        count(*) FILTER (WHERE p.status IN ('failed', 'returned'))::integer AS refused,
        max(p.paid_at) FILTER (WHERE p.status = 'paid') AS "lastPaidAt"
      FROM payouts p WHERE p.merchant_id = a.merchant_id AND p.mode = a.mode
        AND p.bank_account_id = a.id AND p.id <> $3
    ) p
    WHERE a.merchant_id = $1 AND a.id = $2`,
};

/** All columns except the content. */
export const LISTED_FILE = [
  'id',
  'mode',
  'currency',
  'format',
  'messageId',
  'sha256',
  'payouts',
  'amount',
  'createdBy',
  'createdAt',
  'notSentAt',
] as const;

const FILES = `SELECT ${columnsOf('f', PayoutFile, LISTED_FILE)}, u.name AS "createdByName", coalesce(s.states, '[]') AS states
  FROM payout_files f JOIN users u ON u.id = f.created_by
  LEFT JOIN LATERAL (
    SELECT json_agg(json_build_object('status', p.status, 'payouts', p.payouts) ORDER BY p.status)
      AS states
    FROM (SELECT status, count(*) AS payouts FROM payouts WHERE file_id = f.id GROUP BY status) p
  ) s ON true
  WHERE f.mode = $1`;

/** Newest first, created before `$2`. */
export const LIST_FILES: Statement = {
  name: 'desk_files',
  text: `${FILES} AND ($2::uuid IS NULL OR f.id < $2) ORDER BY f.id DESC LIMIT $3`,
};

export const FIND_FILE: Statement = { name: 'desk_file', text: `${FILES} AND f.id = $2` };

/** Serializes downloads of the file until the transaction ends. */
export const HOLD_FILE = `SELECT mode, currency, message_id AS "messageId", content, sha256,
    created_at AS "createdAt" FROM payout_files WHERE id = $1 FOR NO KEY UPDATE`;

/** Whether the file still equals what was created from the approved payouts. */
export const IS_SOUND = `SELECT ${HAS_ITS_BYTES} AND ${PAYS_ITS_PAYOUTS} AS sound
  FROM payout_files f WHERE f.id = $1`;

/** Downloads of a file, oldest first: platform entries of the audit log. */
export const DOWNLOADS: Statement = {
  name: 'desk_downloads',
  text: `SELECT a.created_at AS at, u.name AS "byName" FROM audit_entries a
    LEFT JOIN users u ON u.id = a.user_id
    WHERE a.merchant_id IS NULL AND a.subject = $1 AND a.action = 'payout-file.downloaded'
    ORDER BY a.id LIMIT $2`,
};

/** Orders with unallocated funds, newest first, created before `$2`. */
export const UNALLOCATED_ORDERS: Statement = {
  name: 'desk_unallocated',
  text: `WITH sums AS (
      SELECT t.merchant_id, t.txid, t.currency, max(t.created_at) AS at,
        sum(CASE WHEN t.credit = 'unallocated' THEN t.amount ELSE -t.amount END)::bigint AS amount
      FROM transfers t
      WHERE t.mode = $1 AND (t.debit = 'unallocated' OR t.credit = 'unallocated')
        AND ($2::uuid IS NULL OR t.txid < $2)
      GROUP BY t.merchant_id, t.txid, t.currency
    ), orders_of AS (
      SELECT merchant_id, txid, max(at) AS at,
        json_agg(json_build_object('currency', currency, 'amount', amount) ORDER BY currency) AS sums
      FROM sums WHERE amount <> 0 GROUP BY merchant_id, txid ORDER BY txid DESC LIMIT $3
    )
    SELECT o.merchant_id AS "merchantId", m.name AS "merchantName", o.txid,
      o.order_merchant_id AS "orderMerchantId", o.status, o.exception, o.amount, o.currency,
      o.amount_received AS "amountReceived", o.amount_refunded AS "amountRefunded", u.at, u.sums
    FROM orders_of u
    JOIN orders o ON o.merchant_id = u.merchant_id AND o.txid = u.txid
    JOIN merchants m ON m.id = u.merchant_id
    ORDER BY o.txid DESC`,
};
