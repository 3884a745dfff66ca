import type { Fact } from './fact.js';
import { PAID_OUT, sidesOf, LEDGER_TOTALS } from './sql.js';

/** Label of a balance: `EUR in test mode`. */
const BALANCE_NAME = `currency || ' in ' || mode || ' mode'`;

/** Expected debit and credit accounts by kind of transfer; a correction has them swapped. */
/** A refund takes money of the merchant, and unallocated funds. */
const source = (account: string): string =>
  `CASE WHEN ${account} IN ('available', 'unallocated') THEN ${account} END`;
const DEBIT = `CASE t.kind WHEN 'payment' THEN 'clearing:' || p.provider
  WHEN 'unallocated' THEN 'clearing:' || p.provider
  WHEN 'return_undone' THEN 'clearing:' || p.provider WHEN 'allocation' THEN 'unallocated'
  WHEN 'refund' THEN 'unallocated' WHEN 'unallocated_back' THEN 'unallocated'
  WHEN 'charge_back' THEN 'available' WHEN 'deallocation' THEN 'available'
  WHEN 'fee' THEN 'available' WHEN 'payout_reserved' THEN 'available'
  WHEN 'payout_released' THEN 'payout_pending' WHEN 'payout_paid' THEN 'payout_pending'
  WHEN 'payout_returned' THEN 'clearing:bank' WHEN 'refund_reserved' THEN ${source('t.debit')}
  WHEN 'refund_released' THEN 'refund_pending' WHEN 'refund_paid' THEN 'refund_pending'
  WHEN 'refund_returned' THEN 'clearing:' || p.provider END`;
const CREDIT = `CASE t.kind WHEN 'payment' THEN 'available' WHEN 'unallocated' THEN 'unallocated'
  WHEN 'return_undone' THEN 'unallocated'
  WHEN 'allocation' THEN 'available' WHEN 'fee' THEN 'fees'
  WHEN 'refund' THEN 'clearing:' || p.provider WHEN 'charge_back' THEN 'clearing:' || p.provider
  WHEN 'unallocated_back' THEN 'clearing:' || p.provider WHEN 'deallocation' THEN 'unallocated'
  WHEN 'payout_reserved' THEN 'payout_pending' WHEN 'payout_released' THEN 'available'
  WHEN 'payout_paid' THEN 'clearing:bank' WHEN 'payout_returned' THEN 'available'
  WHEN 'refund_reserved' THEN 'refund_pending' WHEN 'refund_released' THEN ${source('t.credit')}
  WHEN 'refund_paid' THEN 'clearing:' || p.provider
  WHEN 'refund_returned' THEN ${source('t.credit')} END`;

/** Checks of ledger entries. */
const BOOK_FACTS: readonly Fact[] = [
  {
    name: 'accounts-sum-to-zero',
    description: 'Double entry: the accounts of a merchant, mode and currency sum to zero.',
    sql: `SELECT merchant_id AS "merchantId", ${BALANCE_NAME} AS subject,
        format('the accounts sum to %s', sum(amount)) AS detail
      FROM ${LEDGER_TOTALS} t GROUP BY merchant_id, mode, currency HAVING sum(amount) <> 0`,
  },
  {
    name: 'balance-checkpoints',
    description: 'A balance checkpoint is the sum of the transfers that it includes.',
    sql: `SELECT merchant_id AS "merchantId", account || ', ' || ${BALANCE_NAME} AS subject,
        format('checkpoint of %s, transfers of %s', coalesce(b.amount, 0), coalesce(t.amount, 0))
          AS detail
      FROM balances b FULL JOIN ${sidesOf('checkpointed')} t
        USING (merchant_id, mode, currency, account)
      WHERE coalesce(b.amount, 0) <> coalesce(t.amount, 0)`,
  },
  {
    name: 'account-not-below-zero',
    description: 'No account is negative, except through corrections and bank returns.',
    sql: `SELECT t.merchant_id AS "merchantId", t.account || ', ' || ${BALANCE_NAME} AS subject,
        format('%s, of which corrections took %s', t.amount, coalesce(r.amount, 0)) AS detail
      FROM ${LEDGER_TOTALS} t LEFT JOIN (
        SELECT merchant_id, mode, currency, debit AS account, sum(amount) AS amount
        FROM transfers WHERE kind IN ('reversal', 'charge_back', 'deallocation')
        GROUP BY merchant_id, mode, currency, debit
      ) r USING (merchant_id, mode, currency, account)
      WHERE account NOT LIKE 'clearing:%' AND t.amount + coalesce(r.amount, 0) < 0`,
  },
  {
    name: 'transfer-values',
    description:
      'Every ledger transfer has a positive amount, two different accounts and one cause: a payment or a payout.',
    sql: `SELECT merchant_id AS "merchantId", 'transfer ' || id AS subject,
        format('%s of %s %s from %s to %s', kind, amount, currency, debit, credit) AS detail
      FROM transfers
      WHERE amount < 1 OR debit = credit OR currency !~ '^[A-Z]{3}$'
        OR (payment_id IS NULL) = (payout_id IS NULL)
        OR (kind LIKE 'payout%') <> (payout_id IS NOT NULL)
        OR (kind = 'reversal') <> (reverses_id IS NOT NULL)`,
  },
  {
    name: 'transfer-accounts',
    description: 'Every ledger transfer debits and credits the accounts of its kind and provider.',
    sql: `SELECT t.merchant_id AS "merchantId", 'transfer ' || t.id AS subject,
        format('%s from %s to %s', t.kind, t.debit, t.credit) AS detail
      FROM transfers t LEFT JOIN payments p ON p.merchant_id = t.merchant_id AND p.id = t.payment_id
      WHERE t.kind <> 'reversal'
        AND (t.debit IS DISTINCT FROM ${DEBIT} OR t.credit IS DISTINCT FROM ${CREDIT})`,
  },
  {
    name: 'transfer-once',
    description: 'A payment or payout event is booked once.',
    sql: `SELECT merchant_id AS "merchantId", 'payment ' || payment_id AS subject,
        format('%s transfers %s in %s', count(*), kind, currency) AS detail
      FROM transfers WHERE kind <> 'reversal' AND payment_id IS NOT NULL AND refund_id IS NULL
      GROUP BY merchant_id, payment_id, kind, currency, occurrence HAVING count(*) > 1
      UNION ALL
      SELECT merchant_id, 'payout ' || payout_id,
        format('%s transfers %s of version %s', count(*), kind, payout_version)
      FROM transfers WHERE payout_id IS NOT NULL
      GROUP BY merchant_id, payout_id, payout_version, kind HAVING count(*) > 1`,
  },
  {
    name: 'reversal-once',
    description: 'A ledger transfer is reversed at most once.',
    sql: `SELECT merchant_id AS "merchantId", 'transfer ' || reverses_id AS subject,
        format('reversed %s times', count(*)) AS detail
      FROM transfers WHERE reverses_id IS NOT NULL
      GROUP BY merchant_id, reverses_id HAVING count(*) > 1`,
  },
  {
    name: 'reversal-mirrors',
    description:
      'A reversal mirrors exactly one transfer of a payment, and no reversal is reversed.',
    sql: `SELECT r.merchant_id AS "merchantId", 'transfer ' || r.id AS subject,
        format('%s %s from %s to %s reverses %s: %s %s from %s to %s', r.amount, r.currency,
          r.debit, r.credit, r.reverses_id, t.amount, t.currency, t.debit, t.credit) AS detail
      FROM transfers r
      LEFT JOIN transfers t ON t.merchant_id = r.merchant_id AND t.id = r.reverses_id
      WHERE r.reverses_id IS NOT NULL
        AND ((r.mode, r.currency, r.amount, r.debit, r.credit, r.txid, r.payment_id)
            IS DISTINCT FROM
            (t.mode, t.currency, t.amount, t.credit, t.debit, t.txid, t.payment_id)
          OR t.kind = 'reversal' OR t.payment_id IS NULL)`,
  },
];

/** Checks that entries have a cause. */
const CAUSE_FACTS: readonly Fact[] = [
  {
    name: 'transfer-payment',
    description: 'A ledger transfer of a payment has the payment’s order and mode.',
    sql: `SELECT t.merchant_id AS "merchantId", 'transfer ' || t.id AS subject,
        format('in %s mode of order %s; payment %s in %s mode of order %s', t.mode, t.txid,
          t.payment_id, coalesce(o.mode, 'no'), p.txid) AS detail
      FROM transfers t
      LEFT JOIN payments p ON p.merchant_id = t.merchant_id AND p.id = t.payment_id
      LEFT JOIN orders o ON o.merchant_id = p.merchant_id AND o.txid = p.txid
      WHERE t.payment_id IS NOT NULL
        AND (p.txid IS DISTINCT FROM t.txid OR o.mode IS DISTINCT FROM t.mode)`,
  },
  {
    name: 'payment-booked',
    description:
      'The received amount of every payment is booked from its provider’s account, and nothing else is.',
    sql: `SELECT merchant_id AS "merchantId", 'payment ' || id AS subject,
        format('%s %s arrived, %s booked', coalesce(p.amount, 0), currency, coalesce(t.amount, 0))
          AS detail
      FROM (
        SELECT merchant_id, id, received_currency AS currency, amount_received AS amount
        FROM payments WHERE amount_received IS NOT NULL
      ) p FULL JOIN (
        SELECT merchant_id, payment_id AS id, currency, sum(amount) AS amount,
          bool_and(kind = 'unallocated') AS apart
        FROM transfers WHERE kind IN ('payment', 'unallocated')
        GROUP BY merchant_id, payment_id, currency
      ) t USING (merchant_id, id, currency)
      WHERE p.amount IS DISTINCT FROM t.amount
        -- A payment stores the currency received last; earlier ones in other currencies are booked as unallocated.
        AND NOT (p.amount IS NULL AND t.apart AND EXISTS (
          SELECT FROM payments q WHERE q.merchant_id = t.merchant_id AND q.id = t.id
            AND q.amount_received IS NOT NULL AND q.currency <> t.currency))`,
  },
  {
    name: 'order-booked',
    description:
      'The transfers of a paid order sum to its amount, less uncovered bank returns, which its exception shows; other orders have none.',
    sql: `SELECT merchant_id AS "merchantId", 'order ' || txid AS subject,
        format('%s %s due, %s booked, %s', coalesce(o.amount, 0), currency, coalesce(t.amount, 0),
          coalesce(o.exception, 'not paid')) AS detail
      FROM (
        SELECT merchant_id, txid, currency, amount, exception
        FROM orders WHERE status = 'paid'
      ) o FULL JOIN (
        SELECT merchant_id, txid, currency,
          sum(CASE WHEN credit = 'available' THEN amount ELSE -amount END) AS amount,
          bool_or(kind = 'charge_back') AS taken
        FROM transfers WHERE kind IN ('payment', 'allocation', 'charge_back', 'deallocation')
        GROUP BY merchant_id, txid, currency
      ) t USING (merchant_id, txid, currency)
      WHERE CASE
        WHEN o.txid IS NULL THEN t.amount > 0 OR t.amount < 0 AND NOT t.taken
        WHEN o.exception = 'charged_back' THEN coalesce(t.amount, 0) >= o.amount OR NOT t.taken
        ELSE coalesce(t.amount, 0) <> o.amount END`,
  },
  {
    name: 'fee-booked',
    description:
      'The fee of a paid order equals its fee transfer, other orders have no fee, and fees of undone matches are reversed.',
    sql: `SELECT merchant_id AS "merchantId", 'order ' || txid AS subject,
        format('%s, fee %s, %s booked%s', o.status, o.fee, coalesce(t.taken, 0), ', the last ' || t.last)
          AS detail
      FROM orders o FULL JOIN (
        SELECT f.merchant_id, f.txid,
          coalesce(sum(f.amount) FILTER (WHERE r.id IS NULL), 0) AS taken,
          (array_agg(f.amount ORDER BY f.id DESC))[1] AS last
        FROM transfers f
        LEFT JOIN transfers r ON r.merchant_id = f.merchant_id AND r.reverses_id = f.id
        WHERE f.kind = 'fee' GROUP BY f.merchant_id, f.txid
      ) t USING (merchant_id, txid)
      WHERE coalesce(o.fee, 0) <> coalesce(t.taken, 0)
          -- An operator may have reversed the fee of a paid order; null where none was ever booked.
          AND (o.status = 'paid' AND t.taken = 0 AND o.fee = t.last) IS NOT TRUE
        OR o.status <> 'paid' AND o.fee IS NOT NULL
        OR o.status = 'paid' AND o.fee IS NULL AND o.status_reason IS DISTINCT FROM 'manual'`,
  },
  {
    name: 'transfer-payout',
    description: 'A ledger transfer of a payout has the payout’s mode and currency.',
    sql: `SELECT t.merchant_id AS "merchantId", 'transfer ' || t.id AS subject,
        format('%s in %s mode; payout %s: %s in %s mode', t.currency, t.mode, t.payout_id,
          p.currency, coalesce(p.mode, 'no')) AS detail
      FROM transfers t LEFT JOIN payouts p ON p.merchant_id = t.merchant_id AND p.id = t.payout_id
      WHERE t.payout_id IS NOT NULL
        AND (p.mode, p.currency) IS DISTINCT FROM (t.mode, t.currency)`,
  },
];

/** Checks of unallocated funds. */
const UNALLOCATED_FACTS: readonly Fact[] = [
  {
    name: 'unallocated-not-below-zero',
    description:
      'Allocations, refunds and returns of unallocated funds do not exceed what was received.',
    sql: `SELECT merchant_id AS "merchantId", 'order ' || txid AS subject,
        format('%s %s unallocated', amount, currency) AS detail
      FROM (
        SELECT merchant_id, txid, currency,
          sum(CASE WHEN credit = 'unallocated' THEN amount ELSE -amount END) AS amount
        FROM transfers WHERE debit = 'unallocated' OR credit = 'unallocated'
        GROUP BY merchant_id, txid, currency
      ) t WHERE amount < 0`,
  },
  {
    name: 'order-refunded',
    description:
      'The refunded amount of an order equals its refund transfers in the order’s currency.',
    sql: `SELECT merchant_id AS "merchantId", 'order ' || txid AS subject,
        format('%s refunded, %s booked', o.amount_refunded, coalesce(t.amount, 0)) AS detail
      FROM orders o LEFT JOIN (
        SELECT t.merchant_id, t.txid, t.currency,
          sum(CASE WHEN t.kind IN ('refund', 'refund_paid') THEN t.amount ELSE -t.amount END) AS amount
        FROM transfers t
        LEFT JOIN transfers r ON r.merchant_id = t.merchant_id AND r.id = t.reverses_id
        WHERE t.kind IN ('refund', 'refund_paid', 'refund_returned') OR r.kind = 'refund'
        GROUP BY t.merchant_id, t.txid, t.currency
      ) t USING (merchant_id, txid, currency)
      WHERE o.amount_refunded <> coalesce(t.amount, 0)`,
  },
];

/** Checks of the balance available for payouts. */
const OPEN_FACTS: readonly Fact[] = [
  {
    name: 'transfer-paid-out-once',
    description: 'No part of a ledger transfer is paid out twice.',
    sql: `SELECT merchant_id AS "merchantId", 'transfer ' || l.transfer_id AS subject,
        format('%s of %s are in payouts', l.amount, coalesce(t.amount, 0)) AS detail
      FROM ${PAID_OUT} l LEFT JOIN (SELECT merchant_id, id AS transfer_id, amount FROM transfers) t
        USING (merchant_id, transfer_id)
      WHERE l.amount > coalesce(t.amount, 0)`,
  },
  {
    name: 'transfer-covered',
    description:
      'A ledger transfer is marked as covered exactly when payouts include all of it, or its fee equals its amount.',
    sql: `SELECT t.merchant_id AS "merchantId", 'transfer ' || t.id AS subject,
        format('%s of %s are in payouts, marked: %s', coalesce(l.amount, 0), t.amount, t.covered)
          AS detail
      FROM transfers t
      LEFT JOIN ${PAID_OUT} l ON l.merchant_id = t.merchant_id AND l.transfer_id = t.id
      WHERE t.covered <> (coalesce(l.amount, 0) = t.amount)
        AND NOT (t.covered AND l.amount IS NULL AND (
          SELECT sum(CASE WHEN o.credit = 'available' THEN o.amount ELSE -o.amount END)
          FROM transfers o WHERE o.merchant_id = t.merchant_id AND o.payment_id = t.payment_id
            AND o.currency = t.currency AND o.occurrence = t.occurrence
            AND o.kind NOT IN ('reversal', 'charge_back', 'deallocation') AND o.refund_id IS NULL
            AND (o.debit = 'available' OR o.credit = 'available')) IS NOT DISTINCT FROM 0)`,
  },
  {
    name: 'open-is-available',
    description: 'The uncovered part of all transfers equals the available balance.',
    sql: `SELECT merchant_id AS "merchantId", ${BALANCE_NAME} AS subject,
        format('uncovered transfers of %s, available balance %s', coalesce(t.amount, 0), coalesce(a.amount, 0))
          AS detail
      FROM (
        SELECT t.merchant_id, t.mode, t.currency, sum(CASE WHEN t.credit = 'available' THEN 1
          ELSE -1 END * (t.amount - coalesce(l.amount, 0))) AS amount
        FROM transfers t
        LEFT JOIN ${PAID_OUT} l ON l.merchant_id = t.merchant_id AND l.transfer_id = t.id
        WHERE NOT t.covered AND t.payment_id IS NOT NULL
          AND (t.debit = 'available' OR t.credit = 'available')
        GROUP BY t.merchant_id, t.mode, t.currency
      ) t FULL JOIN (
        SELECT merchant_id, mode, currency, amount FROM ${LEDGER_TOTALS} b WHERE account = 'available'
      ) a USING (merchant_id, mode, currency)
      WHERE coalesce(t.amount, 0) <> coalesce(a.amount, 0)`,
  },
];

export const LEDGER_FACTS: readonly Fact[] = [
  ...BOOK_FACTS,
  ...CAUSE_FACTS,
  ...UNALLOCATED_FACTS,
  ...OPEN_FACTS,
];
