import type { Fact } from './fact.js';

/** Maps audit log actions on payouts to acts of `payout_hands`. */
const AUDITED = `CASE e.action WHEN 'payout.changed' THEN 'changed' WHEN 'payout.failed' THEN 'failed'
  WHEN 'payout.returned' THEN 'returned'
  ELSE CASE WHEN e.user_id = p.requested_by THEN 'requested' ELSE 'submitted' END END`;

/** Tolerance: a schedule saved while a payout is being requested may have an earlier timestamp. */
const SAVING = `interval '5 minutes'`;

/** Users involved in each payout, from all sources except `payout_hands`. */
const SOURCES = `(
  SELECT p.merchant_id, p.id AS payout_id, h.user_id, h.act
  FROM payouts p
  LEFT JOIN bank_accounts a ON a.merchant_id = p.merchant_id AND a.id = p.bank_account_id
  CROSS JOIN LATERAL (VALUES (p.requested_by, 'requested'), (a.created_by, 'account_added'),
    (a.confirmed_by, 'account_confirmed')) h (user_id, act)
  WHERE h.user_id IS NOT NULL
  UNION ALL
  SELECT p.merchant_id, p.id, h.user_id, 'scheduled'
  FROM payouts p
  JOIN payout_schedules s ON s.merchant_id = p.merchant_id AND s.mode = p.mode
    AND s.currency = p.currency
  CROSS JOIN LATERAL unnest(s.changed_by) h (user_id)
  WHERE p.requested_by IS NULL AND p.created_at > s.updated_at + ${SAVING}
  UNION ALL
  SELECT p.merchant_id, p.id, e.user_id, ${AUDITED}
  FROM audit_entries e JOIN payouts p ON p.merchant_id = e.merchant_id AND p.id::text = e.subject
  WHERE e.user_id IS NOT NULL
    AND e.action IN ('payout.requested', 'payout.changed', 'payout.failed', 'payout.returned'))`;

const APPROVED = `format('%s, requested by %s, approved by %s', p.status, p.requested_by, p.approved_by)`;

/** Acts after the approval; there is no further approval. */
const AFTER_APPROVAL = `('failed', 'returned')`;

/**
 * Whether the approver of payout `p` is a single operator, who may approve despite being involved after the waiting
 * period.
 */
const HAS_WAITED = `EXISTS (SELECT FROM single_operator_approvals o
    WHERE o.merchant_id = p.merchant_id AND o.payout_id = p.id AND o.user_id = p.approved_by
      AND o.approved_at = p.approved_at AND o.waiting_hours > 0)`;

/** Whether the approver of payout `p` belonged to its merchant before the approval. */
const OF_MERCHANT = `EXISTS (
    SELECT FROM merchant_people m
    WHERE m.merchant_id = p.merchant_id AND m.user_id = p.approved_by)
  AND NOT EXISTS (SELECT FROM memberships m WHERE m.merchant_id = p.merchant_id
    AND m.user_id = p.approved_by AND m.created_at >= p.approved_at)
  AND NOT EXISTS (SELECT FROM audit_entries e WHERE e.merchant_id = p.merchant_id
    AND e.user_id = p.approved_by AND e.action = 'invitation.accepted'
    AND e.created_at >= p.approved_at)`;

/** Checks that every payout was approved by a second person. */
export const PAYOUT_HAND_FACTS: readonly Fact[] = [
  {
    name: 'payout-two-people',
    description:
      'No user who was involved in a payout or belonged to its merchant approved it, and no payout is sent to a bank without approval.',
    sql: `SELECT p.merchant_id AS "merchantId", 'payout ' || p.id AS subject, ${APPROVED} AS detail
      FROM payouts p JOIN (
        SELECT merchant_id, payout_id, user_id, act FROM payout_hands
        UNION ALL SELECT * FROM ${SOURCES} s
      ) h ON h.merchant_id = p.merchant_id AND h.payout_id = p.id AND h.user_id = p.approved_by
      WHERE h.act NOT IN ${AFTER_APPROVAL} AND NOT ${HAS_WAITED}
      UNION
      SELECT p.merchant_id, 'payout ' || p.id, ${APPROVED} FROM payouts p
      WHERE ${OF_MERCHANT}
        OR (p.approved_by IS NULL OR p.approved_hash IS NULL)
          AND p.status IN ('approved', 'exported', 'submitted', 'paid', 'failed', 'returned')`,
  },
  {
    name: 'payout-hands',
    description:
      'Every user involved in a payout is recorded: by requesting, submitting, changing or scheduling it, reporting its result, or adding or confirming its bank account.',
    sql: `SELECT s.merchant_id AS "merchantId", 'payout ' || s.payout_id AS subject,
        format('%s by user %s is not recorded', s.act, s.user_id) AS detail
      FROM ${SOURCES} s LEFT JOIN payout_hands h ON h.merchant_id = s.merchant_id
        AND h.payout_id = s.payout_id AND h.user_id = s.user_id AND h.act = s.act
      WHERE h.act IS NULL`,
  },
  {
    name: 'payout-said-by',
    description:
      'Every user involved in how a payout ended is recorded as involved in later payouts of the same money.',
    sql: `SELECT DISTINCT n.merchant_id AS "merchantId", 'payout ' || n.payout_id AS subject,
        format('pays money of payout %s, %s; %s by user %s is not recorded', p.id, p.status, h.act,
          h.user_id) AS detail
      FROM payout_hands h
      JOIN payouts p ON p.merchant_id = h.merchant_id AND p.id = h.payout_id
      JOIN payout_lines l ON l.merchant_id = p.merchant_id AND l.payout_id = p.id
      JOIN payout_lines n ON n.merchant_id = l.merchant_id AND n.transfer_id = l.transfer_id
      JOIN payouts later ON later.merchant_id = n.merchant_id AND later.id = n.payout_id
      LEFT JOIN payout_hands e ON e.merchant_id = n.merchant_id AND e.payout_id = n.payout_id
        AND e.user_id = h.user_id AND e.act = 'earlier'
      WHERE p.status IN ('rejected', 'cancelled', 'failed', 'returned')
        AND h.act IN ('file_made', 'file_downloaded', 'not_sent', 'failed', 'returned', 'earlier')
        AND later.id <> p.id AND later.created_at > p.updated_at AND e.act IS NULL`,
  },
];
