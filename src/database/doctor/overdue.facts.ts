import type { Fact } from './fact.js';

/** Grace period: work that is due since may be in progress. */
const LATE = `(SELECT now FROM clock) - interval '5 minutes'`;

/** Calendar days that always contain 3 business days. */
const STATEMENT_LATE_DAYS = 8;

/** Checks that hold while background jobs run. */
export const OVERDUE_FACTS: readonly Fact[] = [
  {
    name: 'order-overdue',
    description:
      'No open order is past its expiry, and none waits for a bank statement that is days late.',
    isOverdue: true,
    sql: `SELECT merchant_id AS "merchantId", 'order ' || txid AS subject,
        format('open, expired %s', expires_at) AS detail
      FROM orders o WHERE status = 'open' AND expires_at < ${LATE}
        AND NOT EXISTS (SELECT FROM transfer_references t
          WHERE t.merchant_id = o.merchant_id AND t.txid = o.txid AND t.waits_until IS NOT NULL)
      UNION ALL
      SELECT t.merchant_id, 'order ' || t.txid, format('waits for a transfer until %s', t.waits_until)
      FROM transfer_references t WHERE t.waits_until < (SELECT now FROM clock)::date - ${STATEMENT_LATE_DAYS}`,
  },
  {
    name: 'payment-overdue',
    description: 'Every pending payment was polled in time.',
    isOverdue: true,
    sql: `SELECT merchant_id AS "merchantId", 'payment ' || id AS subject,
        format('poll due %s', next_poll_at) AS detail
      FROM payments WHERE status = 'pending' AND next_poll_at < ${LATE}`,
  },
  {
    name: 'provider-event-overdue',
    description: 'Every provider message about an existing payment was applied in time.',
    isOverdue: true,
    sql: `SELECT e.merchant_id AS "merchantId", 'provider event ' || e.id AS subject,
        format('received %s', e.received_at) AS detail
      FROM provider_events e
      JOIN payments p ON p.merchant_id = e.merchant_id AND p.id = e.payment_id
      WHERE e.applied_at IS NULL AND e.received_at < ${LATE}`,
  },
  {
    name: 'sandbox-overdue',
    description: 'Every sandbox payment was answered in time.',
    isOverdue: true,
    sql: `SELECT merchant_id AS "merchantId", 'payment ' || payment_id AS subject,
        format('answer due %s', due_at) AS detail
      FROM sandbox_transactions WHERE due_at IS NOT NULL AND due_at < ${LATE}`,
  },
  {
    name: 'delivery-overdue',
    description: 'Every mail, and every webhook to a working endpoint, was attempted in time.',
    isOverdue: true,
    sql: `SELECT d.merchant_id AS "merchantId", 'delivery ' || d.id AS subject,
        format('%s, attempt due %s', d.type, d.next_attempt_at) AS detail
      FROM deliveries d
      LEFT JOIN webhook_endpoints t ON t.merchant_id = d.merchant_id AND t.id = d.endpoint_id
      WHERE d.status = 'pending' AND d.next_attempt_at < ${LATE}
        AND (d.recipient_id IS NOT NULL OR t.enabled AND t.failing_since IS NULL)`,
  },
  {
    name: 'bank-line-overdue',
    description: 'Every booked bank line was processed in time.',
    isOverdue: true,
    sql: `SELECT NULL::uuid AS "merchantId", 'bank line ' || id AS subject,
        format('%s, stored %s', state, created_at) AS detail
      FROM bank_lines WHERE looked_at IS NULL AND state <> 'announced' AND created_at < ${LATE}`,
  },
  {
    name: 'bank-file-overdue',
    description: 'Every bank file was imported completely within an hour.',
    isOverdue: true,
    sql: `SELECT NULL::uuid AS "merchantId", 'bank file ' || f.id AS subject,
        format('import of %s bytes with SHA-256 %s began %s and did not end', f.size,
          encode(f.sha256, 'hex'), f.created_at) AS detail
      FROM bank_files f
      WHERE f.imported_at IS NULL AND f.created_at < (SELECT now FROM clock) - interval '1 hour'
        AND NOT EXISTS (SELECT FROM bank_files o
          WHERE o.mode = f.mode AND o.sha256 = f.sha256 AND o.imported_at IS NOT NULL)`,
  },
  {
    name: 'link-overdue',
    description: 'Every invitation and password reset link was mailed in time.',
    isOverdue: true,
    sql: `SELECT merchant_id AS "merchantId", 'link ' || id AS subject,
        format('%s, mail due %s', kind, next_attempt_at) AS detail
      FROM user_links, clock
      WHERE token IS NOT NULL AND next_attempt_at < ${LATE} AND expires_at > clock.now`,
  },
  {
    name: 'bank-account-notice-overdue',
    description: 'Every owner was notified of each new bank account in time.',
    isOverdue: true,
    sql: `SELECT merchant_id AS "merchantId", 'bank account ' || bank_account_id AS subject,
        format('mail to user %s due %s', user_id, next_attempt_at) AS detail
      FROM bank_account_notices
      WHERE next_attempt_at IS NOT NULL AND next_attempt_at < ${LATE}`,
  },
  {
    name: 'user-notice-overdue',
    description: 'Every security notification to a user was mailed in time.',
    isOverdue: true,
    sql: `SELECT merchant_id AS "merchantId", 'user ' || user_id AS subject,
        format('%s, mail due %s', kind, next_attempt_at) AS detail
      FROM user_notices WHERE next_attempt_at < ${LATE}`,
  },
  {
    name: 'payout-schedule-overdue',
    description: 'Every scheduled payout was requested in time.',
    isOverdue: true,
    sql: `SELECT merchant_id AS "merchantId", currency || ' in ' || mode || ' mode' AS subject,
        format('%s, due %s', frequency, next_run_at) AS detail
      FROM payout_schedules WHERE next_run_at < ${LATE}`,
  },
];
