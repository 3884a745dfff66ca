import { heldBy, JOIN_ACCOUNT } from './bank-accounts/bank-account.statements.js';
import type { Statement } from '../database.js';
import { queueWebhooks } from '../notifications/delivery.statements.js';
import { columnsOf, insertOf, jsonOf, parametersOf } from '../entity-sql.js';
import { NEW_PAYOUT, Payout, PAYOUT_SNAPSHOT } from './payout.entity.js';

const COLUMNS = columnsOf('p', Payout);

/**
 * Hash of payout `p`. It changes with the amount, the account or any line, and when the lines do not sum to the amount.
 */
export const CONTENT_HASH = `(SELECT sha256(convert_to(json_build_array(p.id, p.merchant_id, p.mode,
    p.currency, p.amount, p.holder, p.iban, sum(l.amount) = p.amount,
    json_agg(json_build_array(l.kind, l.transfer_id, l.txid, l.amount) ORDER BY l.number)
  )::text, 'UTF8'))
  FROM payout_lines l WHERE l.merchant_id = p.merchant_id AND l.payout_id = p.id)`;

export const FIND_PAYOUT: Statement = {
  name: 'payout_find',
  text: `SELECT ${COLUMNS} FROM payouts p WHERE p.merchant_id = $1 AND p.mode = $2 AND p.id = $3 AND p.refund_id IS NULL`,
};

export const FIND_BY_FORM: Statement = {
  name: 'payout_find_by_form',
  text: `SELECT ${COLUMNS} FROM payouts p
    WHERE p.merchant_id = $1 AND p.mode = $2 AND p.form_id = $3`,
};

/** One statement, so that amount and lines are consistent. */
export const FIND_WITH_SUMS: Statement = {
  name: 'payout_find_with_sums',
  text: `SELECT ${COLUMNS}, coalesce((
      SELECT json_object_agg(kind, json_build_object('count', count, 'amount', amount)) FROM (
        SELECT l.kind, count(*) AS count, sum(l.amount) AS amount FROM payout_lines l
        WHERE l.merchant_id = p.merchant_id AND l.payout_id = p.id GROUP BY l.kind
      ) s
    ), '{}') AS sums
    FROM payouts p WHERE p.merchant_id = $1 AND p.mode = $2 AND p.id = $3 AND p.refund_id IS NULL`,
};

/** Newest first, created before `$3`; some statuses or all. */
export const LIST_PAYOUTS: Statement = {
  name: 'payout_list',
  text: `SELECT ${COLUMNS} FROM payouts p WHERE p.merchant_id = $1 AND p.mode = $2 AND p.refund_id IS NULL
    AND ($3::uuid IS NULL OR p.id < $3) AND ($4::text[] IS NULL OR p.status = ANY ($4))
    ORDER BY p.id DESC LIMIT $5`,
};

export const COUNT_WAITING = `SELECT count(*)::integer AS waiting FROM payouts
  WHERE merchant_id = $1 AND mode = $2 AND status = 'pending_approval' AND (refund_id IS NOT NULL) = $3`;

/** Blocks approvals, but not the recording of involvements: see `lock_payouts_of_involved`. */
export const LOCK = `SELECT ${COLUMNS}, ${CONTENT_HASH} AS "presentHash"
  FROM payouts p WHERE p.merchant_id = $1 AND p.id = $2 FOR NO KEY UPDATE OF p`;

/** Locks in id order, to prevent deadlocks. */
const OLDEST = 'ORDER BY p.id LIMIT $3 FOR UPDATE OF p';
const IS_APPROVED = `p.mode = $1 AND p.currency = $2 AND p.status = 'approved'`;
const HELD_BY = heldBy('least($4::timestamptz, now())');

/** Share-locks the accounts, too, so that they are not retired before the transaction ends. Without refunds. */
export const LOCK_APPROVED = `SELECT ${COLUMNS} FROM payouts p JOIN ${JOIN_ACCOUNT}
  WHERE ${IS_APPROVED} AND ${HELD_BY} IS NULL ${OLDEST} FOR SHARE OF a`;
/** Never locks a row that an outer join left empty. */
export const LOCK_APPROVED_REFUNDS = `SELECT ${COLUMNS} FROM payouts p LEFT JOIN ${JOIN_ACCOUNT}
  WHERE ${IS_APPROVED} AND p.refund_id IS NOT NULL AND ${HELD_BY} IS NULL ${OLDEST}`;
export const FIND_HELD = `SELECT p.id, ${HELD_BY} AS by FROM payouts p LEFT JOIN ${JOIN_ACCOUNT}
  WHERE ${IS_APPROVED} AND ${HELD_BY} IS NOT NULL ORDER BY p.id LIMIT $3`;
export const LOCK_OF_FILE = `SELECT ${COLUMNS} FROM payouts p
  WHERE p.file_id = $1 AND p.status = ANY ($2) ${OLDEST}`;

/** Payouts by keys. */
const THESE = `payouts p JOIN unnest($1::uuid[], $2::uuid[]) k (merchant_id, id)
  ON p.merchant_id = k.merchant_id AND p.id = k.id`;

export const COUNT_LINES = `SELECT p.id, (SELECT count(*)::integer FROM payout_lines l
    WHERE l.merchant_id = p.merchant_id AND l.payout_id = p.id) AS lines
  FROM ${THESE}`;

export const HASHES = `SELECT p.id, ${CONTENT_HASH} AS hash FROM ${THESE}`;

const payout = parametersOf(NEW_PAYOUT);
export const INSERT_PAYOUT = insertOf(Payout, {
  ...payout,
  status: `'draft'`,
  updatedAt: payout.createdAt,
});

export const SEAL = `UPDATE payouts p SET content_hash = ${CONTENT_HASH}
  WHERE p.merchant_id = $1 AND p.id = $2 RETURNING p.content_hash AS "contentHash"`;

export const LINES: Statement = {
  name: 'payout_lines',
  text: `SELECT l.number, l.kind, l.txid, l.amount, o.order_merchant_id AS "orderMerchantId",
      o.amount AS "orderAmount", o.paid_at AS "paidAt"
    FROM payout_lines l JOIN orders o ON o.merchant_id = l.merchant_id AND o.txid = l.txid
    WHERE l.merchant_id = $1 AND l.payout_id = $2 AND l.number > $3 ORDER BY l.number LIMIT $4`,
};

export const LINE_SUMS: Statement = {
  name: 'payout_line_sums',
  text: `SELECT kind, count(*)::integer AS lines, sum(amount)::bigint AS amount
    FROM payout_lines WHERE merchant_id = $1 AND payout_id = $2 GROUP BY kind`,
};

export const PAYOUT_EVENTS: Statement = {
  name: 'payout_events',
  text: `SELECT id, sequence, type, data, created_at AS "createdAt" FROM events
    WHERE merchant_id = $1 AND payout_id = $2 ORDER BY sequence`,
};

/** Changes payouts whose version is unchanged, and stores their events and deliveries. */
export const changePayout = (assignments: string): string => `
  WITH changed AS (
    UPDATE payouts p SET ${assignments}, updated_at = c.at, version = p.version + 1
    FROM unnest($1::uuid[], $2::uuid[], $3::integer[], $4::uuid[], $6::timestamptz[])
      AS c (merchant_id, id, version, event_id, at)
    WHERE p.merchant_id = c.merchant_id AND p.id = c.id AND p.version = c.version
    RETURNING p.*, c.event_id
  ), happened AS (
    INSERT INTO events (merchant_id, id, payout_id, mode, sequence, type, data, created_at)
    SELECT p.merchant_id, p.event_id, p.id, p.mode,
      1 + (SELECT count(*) FROM events e WHERE e.merchant_id = p.merchant_id AND e.payout_id = p.id),
      $5, ${jsonOf('p', Payout, PAYOUT_SNAPSHOT)}, p.updated_at
    -- Refunds send events of their order.
    FROM changed p WHERE $5::text IS NOT NULL AND p.refund_id IS NULL
    RETURNING *
  ), webhooks AS (${queueWebhooks(null)})
  SELECT ${COLUMNS} FROM changed p`;
