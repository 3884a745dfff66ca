import type { Statement } from '../database.js';
import { accountFault, JOIN_ACCOUNT } from '../payouts/bank-accounts/bank-account.statements.js';
import { columnsOf } from '../entity-sql.js';
import { Payout } from '../payouts/payout.entity.js';

/** Maximum audit log entries on a page: the newest. */
const AUDIT_ENTRIES_MAX = 200;

export const LISTED = [
  'id',
  'currency',
  'amount',
  'status',
  'holder',
  'iban',
  'requestedBy',
  'createdAt',
] as const;

const CHOSEN = `p.merchant_id = $1 AND p.mode = $2 AND p.refund_id IS NULL AND ($3::text[] IS NULL OR p.status = ANY ($3))`;

const page = (name: string, beyond: '<' | '>', order: 'DESC' | 'ASC'): Statement => ({
  name,
  text: `SELECT ${columnsOf('p', Payout, LISTED)}, u.name AS "requestedByName"
    FROM payouts p LEFT JOIN users u ON u.id = p.requested_by
    WHERE ${CHOSEN} AND ($4::timestamptz IS NULL OR (p.created_at, p.id) ${beyond} ($4, $5::uuid))
    ORDER BY p.created_at ${order}, p.id ${order} LIMIT $6`,
});

export const OLDER = page('payout_page_older', '<', 'DESC');
export const NEWER = page('payout_page_newer', '>', 'ASC');

/** Returns a row if there are payouts on the other side of the cursor, including it. */
export const BESIDE: Statement = {
  name: 'payout_page_beside',
  text: `SELECT 1 AS n FROM payouts p WHERE ${CHOSEN}
    AND CASE WHEN $6 THEN (p.created_at, p.id) >= ($4::timestamptz, $5::uuid)
      ELSE (p.created_at, p.id) <= ($4, $5) END LIMIT 1`,
};

export const COUNTS: Statement = {
  name: 'payout_page_counts',
  text: `SELECT p.status, count(*)::integer AS count FROM payouts p
    WHERE p.merchant_id = $1 AND p.mode = $2 AND p.refund_id IS NULL GROUP BY p.status`,
};

export const FIND_SHOWN_PAYOUT: Statement = {
  name: 'payout_page_find',
  text: `SELECT ${columnsOf('p', Payout)}, asker.name AS "requestedByName",
      approver.name AS "approvedByName", EXISTS (SELECT FROM payout_hands h
        WHERE h.merchant_id = p.merchant_id AND h.payout_id = p.id AND h.act = 'not_sent'
      ) AS "isInOldFile", ${accountFault()} AS "accountFault"
    FROM payouts p JOIN ${JOIN_ACCOUNT} LEFT JOIN users asker ON asker.id = p.requested_by
    LEFT JOIN users approver ON approver.id = p.approved_by
    WHERE p.merchant_id = $1 AND p.mode = $2 AND p.id = $3`,
};

export const AUDIT_ENTRIES: Statement = {
  name: 'payout_page_deeds',
  text: `SELECT * FROM (
      SELECT a.id, a.action, a.data, a.created_at AS "createdAt", u.name AS "userName"
      FROM audit_entries a LEFT JOIN users u ON u.id = a.user_id
      WHERE a.merchant_id = $1 AND a.subject = $2 ORDER BY a.id DESC LIMIT ${AUDIT_ENTRIES_MAX}
    ) d ORDER BY d.id`,
};
