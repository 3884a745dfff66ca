import type { Fact } from './fact.js';

/** Audit log actions that influence the money of an order, or of all orders that a bank line paid. */
const ORDER_ACTS = `('order.money-accepted', 'order.refunded')`;
const LINE_ACTS = `('bank-line.undone', 'bank-line.payer-added')`;

/** The user who last allowed transfers before live money arrived; no row when the command line did. */
const ALLOWED = `(
  SELECT DISTINCT ON (a.merchant_id, a.payment_id)
    a.merchant_id, a.txid, e.user_id, 'transfers_allowed' AS act, a.created_at
  FROM bank_allocations a JOIN bank_lines l ON l.id = a.line_id AND l.mode = 'live'
  JOIN audit_entries e ON e.merchant_id = a.merchant_id AND e.created_at <= a.created_at
    AND e.action IN ('merchant.transfers-allowed', 'transfers.changed')
  ORDER BY a.merchant_id, a.payment_id, e.id DESC)`;

/** Users who influenced the money of orders, from all sources except the `…_hands` tables. */
const SOURCES = `(
  SELECT merchant_id, txid, matched_by AS user_id, 'matched' AS act, created_at
  FROM bank_allocations WHERE matched_by IS NOT NULL
  UNION ALL
  SELECT a.merchant_id, a.txid, f.brought_by, 'file_brought', a.created_at
  FROM bank_allocations a JOIN bank_line_places p ON p.line_id = a.line_id
  JOIN bank_statements s ON s.id = p.statement_id
  JOIN bank_files f ON f.id = s.file_id AND f.created_at < a.created_at
  WHERE f.brought_by IS NOT NULL
  UNION ALL
  SELECT a.merchant_id, a.txid, h.user_id, h.act, a.created_at
  FROM bank_allocations a JOIN bank_line_places p ON p.line_id = a.line_id
  JOIN bank_statements s ON s.id = p.statement_id
  JOIN bank_file_hands h ON h.file_id = s.file_id AND h.created_at < a.created_at
  UNION ALL
  SELECT e.merchant_id, CASE WHEN e.action IN ${ORDER_ACTS} THEN e.subject::uuid END, e.user_id,
    CASE e.action WHEN 'order.refunded' THEN 'refund_recorded' ELSE 'money_accepted' END, e.created_at
  FROM audit_entries e WHERE e.user_id IS NOT NULL AND e.action IN ${ORDER_ACTS}
  UNION ALL
  SELECT a.merchant_id, a.txid, e.user_id,
    CASE e.action WHEN 'bank-line.undone' THEN 'match_undone' ELSE 'payer_added' END, e.created_at
  FROM audit_entries e JOIN bank_allocations a ON a.line_id::text = e.subject
  WHERE e.user_id IS NOT NULL AND e.action IN ${LINE_ACTS}
  UNION ALL
  SELECT a.merchant_id, a.txid, d.user_id, 'marked_distinct', a.created_at
  FROM bank_allocations a JOIN bank_line_distinctions d ON d.line_id = a.line_id AND d.created_at <= a.created_at
  UNION ALL
  SELECT a.merchant_id, a.txid, c.proposed_by, 'account_proposed', a.created_at
  FROM bank_allocations a JOIN bank_lines l ON l.id = a.line_id AND l.mode = 'live'
  JOIN collection_account_changes c ON c.account = l.account AND c.kind <> 'disable'
    AND c.applied_at < a.created_at WHERE c.proposed_by IS NOT NULL
  UNION ALL
  SELECT p.merchant_id, p.txid, r.said_by, 'return_booked', r.created_at
  FROM bank_returns r JOIN payments p ON p.merchant_id = r.merchant_id AND p.id = r.payment_id
  WHERE r.said_by IS NOT NULL
  UNION ALL
  SELECT p.merchant_id, p.txid, r.undone_by, 'return_undone', r.undone_at
  FROM bank_returns r JOIN payments p ON p.merchant_id = r.merchant_id AND p.id = r.payment_id
  WHERE r.undone_by IS NOT NULL
  UNION ALL
  SELECT * FROM ${ALLOWED} t WHERE t.user_id IS NOT NULL)`;

/** Decisions about outgoing money by the approver of a payout, for each order whose money had arrived. */
const OUTGOING = `(
  SELECT y.merchant_id, y.txid, h.user_id, h.act, h.created_at
  FROM payouts q JOIN outgoing_hands h ON h.mode = q.mode AND h.user_id = q.approved_by
  JOIN payout_lines n ON n.merchant_id = q.merchant_id AND n.payout_id = q.id
  JOIN payments y ON y.merchant_id = n.merchant_id AND y.txid = n.txid
  LEFT JOIN bank_allocations a ON a.merchant_id = y.merchant_id AND a.payment_id = y.id
  LEFT JOIN bank_lines b ON b.id = a.line_id
  WHERE greatest(h.created_at, h.booked_on + interval '10 days') >= CASE
    WHEN a.line_id IS NOT NULL THEN least(a.created_at, b.booked_on::timestamptz, b.valued_on::timestamptz)
    WHEN y.amount_received > 0 THEN y.created_at END)`;

/** Checks that no user alone assigns money to an order and approves its payout. */
export const MONEY_HAND_FACTS: readonly Fact[] = [
  {
    name: 'money-two-people',
    description:
      'A user who influenced the money of an order (by a file, match, acceptance or permission) did not approve its payout, except a single operator after the waiting period.',
    sql: `SELECT DISTINCT p.merchant_id AS "merchantId", 'payout ' || p.id AS subject,
        format('approved by %s, who influenced the money of order %s: %s', p.approved_by, h.txid,
          h.act) AS detail
      FROM payouts p
      JOIN (SELECT merchant_id, payout_id, txid FROM payout_lines
        UNION ALL SELECT merchant_id, id, txid FROM refunds WHERE method = 'bank'
      ) l ON l.merchant_id = p.merchant_id AND l.payout_id = p.id
      JOIN (SELECT merchant_id, txid, user_id, act, created_at FROM money_hands
        UNION ALL SELECT * FROM ${SOURCES} s
        UNION ALL SELECT * FROM ${OUTGOING} o
      ) h ON h.merchant_id = l.merchant_id AND h.txid = l.txid AND h.user_id = p.approved_by
        AND h.created_at < p.approved_at
      LEFT JOIN single_operator_approvals o ON o.merchant_id = p.merchant_id
        AND o.payout_id = p.id AND o.user_id = p.approved_by AND o.approved_at = p.approved_at
      WHERE o.payout_id IS NULL`,
  },
  {
    name: 'spared-debts',
    description:
      'A user who may have spared a merchant a debt did not approve its payouts of the next 60 days, except a single operator after the waiting period.',
    sql: `SELECT DISTINCT p.merchant_id AS "merchantId", 'payout ' || p.id AS subject,
        format('approved by %s, who did: %s', p.approved_by, h.act) AS detail
      FROM payouts p CROSS JOIN LATERAL hands_in_balance(p.merchant_id, p.id) h
      LEFT JOIN single_operator_approvals o ON o.merchant_id = p.merchant_id
        AND o.payout_id = p.id AND o.user_id = p.approved_by AND o.approved_at = p.approved_at
      WHERE h.user_id = p.approved_by AND h.created_at < p.approved_at AND o.payout_id IS NULL`,
  },
  {
    name: 'money-hands',
    description:
      'Every user who influenced money is recorded: by a file, CSV profile, match, decision on duplicates, added payer, return, acceptance, refund, permission for transfers or collection account.',
    sql: `SELECT DISTINCT s.merchant_id AS "merchantId", 'order ' || s.txid AS subject,
        format('%s by user %s is not recorded', s.act, s.user_id) AS detail
      FROM ${SOURCES} s LEFT JOIN money_hands h ON h.merchant_id = s.merchant_id
        AND h.txid = s.txid AND h.user_id = s.user_id AND h.act = s.act
      WHERE h.act IS NULL`,
  },
];
