import { setOf } from '../../src/database/entity-sql.js';
import { ERASED_ORDER, Order } from '../../src/database/orders/order.entity.js';
import { MONEY_HAND_PLANTINGS } from './money-hand-plantings.js';

/** What somebody could do to the rows behind the service's back, and the fact that must tell of it. */
export interface Planting {
  readonly fact: string;
  readonly sql: string;
  /** Constraints and indexes that would refuse it. */
  readonly without: readonly string[];
}

const planting = (fact: string, sql: string, ...without: string[]): Planting => ({
  fact,
  sql: sql.replace(/\s+/g, ' '),
  without,
});

/** Rows like those that are there, but for an id of their own. */
const again = (table: string, where: string): string =>
  `INSERT INTO ${table} SELECT (jsonb_populate_record(r,
    jsonb_build_object('id', gen_random_uuid()))).* FROM ${table} r WHERE ${where}`;

const LINK = `INSERT INTO user_links (id, kind, token, token_hash, email, created_at, expires_at,
    used_at, next_attempt_at)
  VALUES (gen_random_uuid(), 'reset', 'token', sha256(''), 'a@b.example', '2020-01-01', '2099-01-01'`;

const ORDERS: readonly Planting[] = [
  planting(
    'order-values',
    `UPDATE orders SET amount = 100000000000 WHERE status = 'open'`,
    'orders_amount_check',
  ),
  planting('order-times', `UPDATE orders SET updated_at = created_at - interval '1 second'`),
  planting(
    'order-times',
    `UPDATE orders SET paid_at = NULL WHERE status = 'paid'`,
    'orders_paid_at_check',
  ),
  planting(
    'order-id-once',
    `UPDATE orders SET order_merchant_id = 'same' WHERE status = 'paid'`,
    'orders_order_merchant_id_once',
  ),
  planting(
    'order-id-once',
    `UPDATE orders SET holds_merchant_id = false WHERE status = 'paid'`,
    'orders_holds_merchant_id_check',
  ),
  planting(
    'order-id-once',
    `UPDATE orders SET holds_merchant_id = true WHERE status = 'cancelled'`,
  ),
  planting(
    'order-covered',
    `UPDATE orders SET amount_received = amount - 1 WHERE status = 'paid'`,
    'orders_paid_in_full_check',
  ),
  planting(
    'order-covered',
    `UPDATE orders SET amount_received = amount - 1, status_reason = 'manual' WHERE status = 'paid'`,
  ),
  planting('order-covered', `UPDATE orders SET amount_received = amount WHERE status = 'open'`),
  planting('order-exception', `UPDATE orders SET exception = 'none' WHERE exception = 'overpaid'`),
  planting(
    'order-received',
    `UPDATE orders SET amount_received = amount_received + 1 WHERE status = 'paid'`,
  ),
  planting('order-completed', 'UPDATE payments SET completes_order = false'),
  planting(
    'order-completed',
    `UPDATE payments SET completes_order = true WHERE status = 'succeeded'`,
    'payments_one_completes',
  ),
  planting(
    'order-completed',
    `UPDATE orders SET payment_id = gen_random_uuid() WHERE status = 'paid'`,
  ),
  planting(
    'order-payment',
    `UPDATE orders o SET payment_id = (SELECT id FROM payments p WHERE p.txid <> o.txid LIMIT 1)
     WHERE payment_id IS NOT NULL`,
  ),
  planting('order-payment', `UPDATE payments SET status = 'cancelled' WHERE status = 'pending'`),
  planting('order-awaited', `UPDATE payments SET next_poll_at = NULL WHERE status = 'pending'`),
  planting(
    'order-erased',
    `UPDATE orders SET erased_at = updated_at, customer_name = 'Jo' WHERE status = 'cancelled'`,
  ),
  planting(
    'order-erased',
    `UPDATE orders SET erased_at = updated_at, ${setOf(Order, ERASED_ORDER)};
     UPDATE payments SET payer_account_name = 'Jo'`,
  ),
  planting('order-merchant', `UPDATE orders SET merchant_id = gen_random_uuid()`),
  planting('order-fields', `UPDATE order_fields SET value = value || '!'`),
  planting('order-fields', 'DELETE FROM order_fields'),
  planting(
    'idempotency-once',
    'INSERT INTO idempotency_records SELECT * FROM idempotency_records',
    'idempotency_records_pk',
  ),
  planting('idempotency-order', `UPDATE idempotency_records SET mode = 'live'`),
  planting('idempotency-order', 'UPDATE idempotency_records SET merchant_id = gen_random_uuid()'),
  planting('event-order', `UPDATE events SET mode = 'live' WHERE sequence = 1`),
  planting('event-order', 'UPDATE events SET merchant_id = gen_random_uuid() WHERE sequence = 1'),
  planting('order-events', 'DELETE FROM events WHERE sequence = 2'),
  planting('order-events', 'DELETE FROM events WHERE txid IS NOT NULL'),
  planting('order-events', 'UPDATE orders SET version = version + 1'),
  planting('order-last-event', `UPDATE orders SET status = 'expired' WHERE status = 'open'`),
  planting('order-last-event', `UPDATE orders SET exception = 'paid_late' WHERE status = 'paid'`),
  planting(
    'order-event-chain',
    `UPDATE events SET data = data || '{"from": "paid"}' WHERE sequence = 3`,
  ),
  planting(
    'order-event-chain',
    `UPDATE events SET data = data || '{"status": "failed"}' WHERE sequence = 2`,
  ),
  planting(
    'order-event-chain',
    `UPDATE events SET data = data || '{"status": "paid"}' WHERE sequence = 1`,
  ),
  planting(
    'order-paid-event',
    `UPDATE events SET type = 'order.processing' WHERE type = 'order.paid'`,
  ),
  planting(
    'order-paid-event',
    `UPDATE events SET type = 'order.paid' WHERE type = 'order.cancelled'`,
  ),
];

const PAYMENTS: readonly Planting[] = [
  planting('payment-money', `UPDATE payments SET currency = 'CHF' WHERE completes_order`),
  planting('payment-money', 'UPDATE payments SET txid = gen_random_uuid() WHERE completes_order'),
  planting(
    'payment-money',
    `UPDATE payments SET amount_received = 1, received_currency = 'EUR' WHERE status = 'pending'`,
  ),
  planting(
    'payment-reference-once',
    `UPDATE payments SET provider_reference = 'same'`,
    'payments_provider_reference',
  ),
  planting(
    'payment-live-once',
    `UPDATE payments SET status = 'pending' WHERE status = 'failed'`,
    'payments_one_live',
  ),
  planting('sandbox-mode', `UPDATE orders SET mode = 'live' WHERE status = 'paid'`),
  planting(
    'sandbox-money',
    `DELETE FROM provider_events; UPDATE sandbox_transactions SET outcome = 'declined'`,
  ),
  planting(
    'sandbox-money',
    `UPDATE payments SET amount_received = amount_received + 1 WHERE completes_order`,
  ),
  planting(
    'provider-event-once',
    `UPDATE provider_events SET provider_event_id = 'same'`,
    'provider_events_once',
  ),
  planting('provider-event-handled', `UPDATE provider_events SET result = 'mismatch'`),
  planting(
    'provider-event-handled',
    `UPDATE provider_events SET result = 'mismatch' WHERE report #>> '{outcome,kind}' = 'declined'`,
  ),
  planting(
    'provider-event-handled',
    `UPDATE provider_events SET result = NULL, applied_at = NULL, received_at = '2020-01-01'`,
  ),
  planting(
    'provider-event-handled',
    `UPDATE provider_events SET payment_id = NULL, result = 'mismatch',
       report = '{"outcome": {"kind": "unreadable"}}'`,
  ),
  planting(
    'provider-event-booked',
    `UPDATE provider_events SET result = 'ignored',
       report = jsonb_set(report, '{outcome,amount}', '9000000') WHERE result = 'applied'`,
  ),
  planting(
    'provider-event-booked',
    `UPDATE provider_events SET report = jsonb_set(report, '{outcome,currency}', '"JPY"')`,
  ),
  planting('provider-event-mode', `UPDATE provider_events SET mode = 'live'`),
  planting(
    'provider-event-account',
    `UPDATE provider_events e SET account_id =
       (SELECT id FROM provider_accounts a WHERE a.merchant_id <> e.merchant_id LIMIT 1)`,
  ),
  planting('provider-event-payment', 'UPDATE provider_events SET payment_id = gen_random_uuid()'),
  planting(
    'provider-event-payment',
    'UPDATE provider_events SET result = NULL',
    'provider_events_result_check',
  ),
];

const LEDGER: readonly Planting[] = [
  planting('accounts-sum-to-zero', `UPDATE balances SET amount = 1 WHERE account = 'fees'`),
  planting('balance-checkpoints', 'UPDATE balances SET amount = amount + 1'),
  planting('balance-checkpoints', 'UPDATE transfers SET checkpointed = true'),
  planting(
    'account-not-below-zero',
    `UPDATE transfers SET amount = amount + 1000000 WHERE kind = 'payout_reserved'`,
  ),
  planting(
    'account-not-below-zero',
    `UPDATE transfers SET amount = amount + 1000000 WHERE kind = 'payout_paid'`,
  ),
  planting(
    'transfer-values',
    `UPDATE transfers SET amount = 0 WHERE kind = 'fee'`,
    'transfers_amount_check',
  ),
  planting(
    'transfer-values',
    'UPDATE transfers SET debit = credit WHERE refund_id IS NULL',
    'transfers_accounts_check',
  ),
  planting('transfer-accounts', `UPDATE transfers SET credit = 'fees' WHERE kind = 'payment'`),
  planting(
    'transfer-accounts',
    `UPDATE transfers SET debit = 'clearing:other' WHERE kind = 'payment'`,
  ),
  planting('transfer-once', again('transfers', `kind = 'payment'`), 'transfers_payment_once'),
  planting('transfer-once', again('transfers', `kind = 'payout_paid'`), 'transfers_payout_once'),
  planting(
    'unallocated-not-below-zero',
    `UPDATE transfers SET amount = amount + 1000 WHERE kind = 'refund'`,
  ),
  planting(
    'unallocated-not-below-zero',
    `INSERT INTO transfers SELECT (jsonb_populate_record(t, jsonb_build_object('id',
       gen_random_uuid(), 'occurrence', 7))).* FROM transfers t WHERE kind = 'allocation'`,
  ),
  planting(
    'order-share-not-below-zero',
    `UPDATE transfers SET amount = amount + 1000000 WHERE kind = 'charge_back'`,
  ),
  planting('order-refunded', `UPDATE orders SET amount_refunded = 1 WHERE amount_received > 9`),
  planting('order-refunded', `DELETE FROM transfers WHERE kind = 'refund'`),
  planting('refund-booked', `UPDATE refunds SET from_unallocated = from_unallocated + 1`),
  planting('refund-booked', `DELETE FROM transfers WHERE kind = 'refund_paid'`),
  planting('refund-booked', `DELETE FROM transfers WHERE kind = 'refund_released'`),
  planting('refund-transfer', 'UPDATE refunds SET payment_id = gen_random_uuid()'),
  planting(
    'refund-transfer',
    `UPDATE transfers SET refund_id = gen_random_uuid() WHERE kind = 'refund_paid'`,
  ),
  planting('refund-once', again('transfers', `kind = 'refund_reserved'`), 'transfers_refund_once'),
  planting(
    'refund-of-payment',
    'UPDATE payments SET amount_received = 1 WHERE id IN (SELECT payment_id FROM refunds)',
  ),
  planting(
    'order-refund-pending',
    'UPDATE orders SET amount_refund_pending = 0 WHERE amount_refund_pending > 0',
  ),
  planting(
    'order-refund-pending',
    `UPDATE refunds SET status = 'failed', completed_at = created_at WHERE status = 'submitted'`,
  ),
  planting('refund-waits', 'UPDATE refunds SET next_attempt_at = NULL'),
  planting('refund-waits', `UPDATE refunds SET next_attempt_at = NULL WHERE method = 'bank'`),
  planting('refund-payout', 'DELETE FROM refund_payees'),
  planting('refund-payout', `UPDATE payouts SET status = 'cancelled' WHERE refund_id IS NOT NULL`),
  planting('refund-payout', `UPDATE payouts SET amount = amount + 1 WHERE refund_id IS NOT NULL`),
  planting('refund-payout', `UPDATE refunds SET method = 'provider' WHERE method = 'bank'`),
  planting(
    'refund-payee',
    `UPDATE payouts SET iban = 'DE02120300000000202051' WHERE refund_id IS NOT NULL`,
  ),
  planting('reversal-once', again('transfers', `kind = 'reversal'`), 'transfers_reversed_once'),
  planting('reversal-mirrors', `UPDATE transfers SET amount = amount + 1 WHERE kind = 'reversal'`),
  planting(
    'reversal-mirrors',
    `UPDATE transfers SET reverses_id = gen_random_uuid() WHERE kind = 'reversal'`,
  ),
  planting('transfer-payment', `UPDATE transfers SET mode = 'live' WHERE kind = 'payment'`),
  planting('transfer-payment', 'UPDATE transfers SET txid = payment_id'),
  planting(
    'transfer-payment',
    `UPDATE transfers SET payment_id = gen_random_uuid() WHERE kind = 'payment'`,
  ),
  planting('payment-booked', `UPDATE transfers SET amount = amount + 1 WHERE kind = 'unallocated'`),
  planting('payment-booked', `DELETE FROM transfers WHERE kind = 'payment'`),
  planting(
    'payment-booked',
    `UPDATE payments SET status = 'failed', amount_received = NULL, completes_order = false
     WHERE completes_order`,
  ),
  planting(
    'payment-booked',
    `UPDATE transfers SET currency = 'CHF' WHERE kind IN ('payment', 'unallocated')`,
  ),
  planting('order-booked', `UPDATE transfers SET amount = amount + 1 WHERE kind = 'allocation'`),
  planting(
    'order-booked',
    `UPDATE orders SET status = 'expired', paid_at = NULL WHERE status = 'paid'`,
  ),
  planting('fee-booked', 'UPDATE orders SET fee = fee + 1 WHERE fee > 0'),
  planting('fee-booked', `UPDATE orders SET fee = NULL WHERE status = 'paid' AND fee = 0`),
  planting('fee-booked', `UPDATE orders SET fee = 0 WHERE status = 'open'`),
  planting('transfer-payout', `UPDATE transfers SET mode = 'live' WHERE payout_id IS NOT NULL`),
  planting('transfer-paid-out-once', 'UPDATE payout_lines SET amount = amount * 2'),
  planting('transfer-covered', 'UPDATE transfers SET covered = NOT covered'),
  planting(
    'transfer-covered',
    `UPDATE transfers SET covered = true WHERE kind = 'payout_reserved'`,
  ),
  planting('open-is-available', 'UPDATE transfers SET covered = true'),
];

const BANK: readonly Planting[] = [
  planting('bank-line-amount', `UPDATE bank_lines SET amount = amount - 1 WHERE state = 'matched'`),
  planting('bank-line-amount', `UPDATE bank_lines SET status = 'announced'`),
  planting('bank-line-amount', 'UPDATE bank_allocations SET amount = amount * 2'),
  planting('bank-line-amount', 'UPDATE bank_allocations SET line_id = gen_random_uuid()'),
  planting('bank-line-once', again('bank_lines', `direction = 'in'`), 'bank_lines_once'),
  planting(
    'bank-line-once',
    `UPDATE bank_lines SET parent_id = (SELECT line_id FROM bank_allocations
       WHERE undone_at IS NULL LIMIT 1)`,
  ),
  planting(
    'bank-line-once',
    `UPDATE bank_lines SET parent_id = (SELECT line_id FROM bank_payout_lines LIMIT 1)
       WHERE id IN (SELECT line_id FROM bank_returns)`,
  ),
  // The total of a line that has moved money was merged into another such line.
  planting(
    'bank-line-once',
    `WITH total AS (SELECT id FROM bank_lines l WHERE NOT has_moved_money(id)
       AND NOT EXISTS (SELECT FROM bank_line_merges WHERE line_id = l.id) LIMIT 1),
     merge AS (INSERT INTO bank_line_merges (line_id, other_id, places, payer_references, created_at)
       SELECT id, (SELECT line_id FROM bank_payout_lines LIMIT 1), '[]', '[]', now() FROM total)
     UPDATE bank_lines SET parent_id = total.id FROM total
       WHERE bank_lines.id IN (SELECT line_id FROM bank_returns WHERE undone_at IS NULL)`,
  ),
  ...['bank_allocations', 'bank_returns', 'bank_payout_lines'].map((moved) =>
    planting(
      'bank-line-once',
      `UPDATE bank_lines SET state = 'superseded' WHERE id IN (SELECT line_id FROM ${moved})`,
    ),
  ),
  planting('bank-line-proven', `UPDATE bank_lines SET unproven = 'statement_not_balanced'`),
  planting(
    'bank-line-proven',
    `UPDATE bank_lines l SET duplicate_of = (SELECT id FROM bank_lines o WHERE o.id <> l.id LIMIT 1)`,
  ),
  planting('bank-line-own-account', `UPDATE bank_lines SET account = 'X'`),
  planting('bank-line-own-account', `UPDATE bank_lines SET currency = 'CHF'`),
  planting('bank-line-state', `UPDATE bank_lines SET state = 'superseded' WHERE state = 'matched'`),
  planting('bank-line-state', `UPDATE bank_lines SET state = 'matched'`),
  planting(
    'bank-line-state',
    `UPDATE bank_lines SET amount = NULL, amount_text = 'x', state = 'unmatched' WHERE state = 'matched'`,
  ),
  planting('bank-line-taken-back', 'UPDATE bank_allocations SET undone_by_line_id = line_id'),
  planting('transfer-has-line', 'DELETE FROM bank_allocations'),
  planting('transfer-has-line', 'UPDATE bank_allocations SET amount = amount - 1'),
  planting('transfer-has-line', 'UPDATE bank_allocations SET txid = gen_random_uuid()'),
  planting('transfer-has-line', `UPDATE payments SET provider = 'sandbox'`),
  planting('transfer-line-order', `UPDATE bank_lines SET mode = 'live'`),
  planting('transfer-line-order', `UPDATE bank_lines SET currency = 'CHF'`),
  planting('transfer-line-order', 'UPDATE bank_allocations SET merchant_id = gen_random_uuid()'),
  planting('transfer-taken-back', `DELETE FROM transfers WHERE kind = 'charge_back'`),
  planting(
    'transfer-taken-back',
    `UPDATE transfers SET amount = 1 WHERE kind = 'unallocated_back'`,
  ),
  planting('transfer-taken-back', 'UPDATE bank_allocations SET undone_at = NULL'),
  planting('bank-return', 'UPDATE bank_returns SET amount = amount + 1'),
  planting('bank-return', 'DELETE FROM bank_returns'),
  planting('bank-return', `UPDATE bank_lines SET direction = 'in' WHERE direction = 'out'`),
  planting('order-charged-back', 'UPDATE orders SET amount_charged_back = amount_charged_back + 1'),
  planting(
    'order-charged-back',
    `UPDATE orders SET exception = 'charged_back' WHERE status = 'open'`,
  ),
  planting('transfer-reference', `UPDATE collection_accounts SET mode = 'live'`),
  planting('transfer-reference', `UPDATE orders SET mode = 'live'`),
  planting(
    'transfer-reference',
    `UPDATE transfer_references SET reference = (SELECT min(reference) FROM transfer_references)`,
    'transfer_references_once',
  ),
  planting('collection-account-changed', `UPDATE collection_accounts SET position = -99`),
  planting('collection-account-changed', `UPDATE collection_accounts SET account = 'THIEF'`),
  planting('collection-account-changed', 'UPDATE collection_accounts SET disabled_at = now()'),
  planting('collection-account-changed', 'DELETE FROM collection_account_changes'),
  planting(
    'collection-account-two-people',
    `UPDATE collection_account_changes SET rule = 'two_people', confirmed_by = (SELECT id FROM users LIMIT 1)`,
  ),
  planting('transfer-shown', 'DELETE FROM transfer_references'),
  planting(
    'transfer-shown',
    `UPDATE payments SET transfer = '{"reference": "RF"}' WHERE provider = 'sandbox'`,
  ),
  planting('transfer-shown', `UPDATE payments SET transfer = NULL; DELETE FROM bank_allocations`),
  planting('payout-bank-line', `UPDATE payouts SET amount = amount + 1 WHERE status = 'paid'`),
  planting('payout-bank-line', `UPDATE bank_payout_lines SET direction = 'in'`),
  planting('payout-bank-line', `UPDATE bank_lines SET mode = 'live'`),
  planting('payout-bank-line', 'UPDATE bank_payout_lines SET line_id = gen_random_uuid()'),
  planting('payout-bank-line', 'UPDATE bank_payout_lines SET payout_id = gen_random_uuid()'),
  planting('payout-own-account', `UPDATE bank_lines SET account = 'X'`),
  planting('bank-statement-balance', 'UPDATE bank_statements SET closing_balance = 5'),
  planting('bank-statement-balance', 'DELETE FROM bank_line_places'),
  planting('bank-statement-balance', `UPDATE bank_lines SET direction = 'in'`),
];

const PAYOUTS: readonly Planting[] = [
  planting('payout-booked', `DELETE FROM transfers WHERE kind = 'payout_paid'`),
  planting(
    'payout-booked',
    again('transfers', `kind = 'payout_released'`),
    'transfers_payout_once',
  ),
  planting('payout-booked', `UPDATE payouts SET status = 'failed' WHERE status = 'submitted'`),
  planting(
    'payout-booked',
    `UPDATE payouts SET paid_at = NULL WHERE status = 'returned' AND paid_at IS NOT NULL`,
  ),
  planting('payout-lines', 'DELETE FROM payout_lines WHERE number = 1'),
  planting('payout-lines', `UPDATE payouts SET amount = amount + 1 WHERE status = 'approved'`),
  planting('payout-line-transfer', 'UPDATE payout_lines SET txid = transfer_id'),
  planting('payout-line-transfer', `UPDATE payout_lines SET kind = 'correction'`),
  planting('payout-line-transfer', 'UPDATE payout_lines SET amount = -amount'),
  planting('payout-line-transfer', `UPDATE payouts SET mode = 'live'`),
  planting(
    'payout-content',
    `UPDATE payouts SET iban = 'NL91ABNA0417164300' WHERE status = 'exported'`,
  ),
  planting(
    'payout-content',
    `UPDATE payouts SET approved_hash = sha256('') WHERE status = 'approved'`,
  ),
  planting(
    'payout-two-people',
    'UPDATE payouts SET approved_by = requested_by WHERE approved_by IS NOT NULL',
    'payouts_two_people_check',
  ),
  planting(
    'payout-two-people',
    `UPDATE payouts SET approved_by = NULL WHERE status = 'exported'`,
    'payouts_approved_check',
  ),
  planting(
    'payout-two-people',
    `UPDATE bank_accounts a SET confirmed_by = p.approved_by FROM payouts p
     WHERE p.bank_account_id = a.id AND p.approved_by IS NOT NULL`,
  ),
  planting(
    'payout-two-people',
    `INSERT INTO merchant_people SELECT DISTINCT merchant_id, approved_by FROM payouts
     WHERE approved_by IS NOT NULL`,
  ),
  ...['requested', 'account_added', 'account_confirmed'].map((act) =>
    planting('payout-hands', `DELETE FROM payout_hands WHERE act = '${act}'`),
  ),
  planting(
    'payout-hands',
    `INSERT INTO audit_entries
       (id, merchant_id, user_id, action, subject, data, address, created_at)
     SELECT gen_random_uuid(), merchant_id, approved_by, 'payout.changed', id, '{}', '', created_at
     FROM payouts WHERE approved_by IS NOT NULL`,
  ),
  planting(
    'payout-hands',
    `UPDATE payouts SET requested_by = NULL;
     INSERT INTO payout_schedules (merchant_id, mode, currency, frequency, minimum_amount,
       bank_account_id, changed_by, next_run_at, updated_at)
     SELECT merchant_id, mode, 'EUR', 'daily', 1, id, ARRAY[created_by], '2099-01-01', '2020-01-01'
     FROM bank_accounts`,
  ),
  planting('payout-said-by', `DELETE FROM payout_hands WHERE act = 'earlier'`),
  planting('payout-account', `UPDATE bank_accounts SET iban = 'NL91ABNA0417164300'`),
  planting('payout-account', 'UPDATE bank_accounts SET confirmed_at = NULL, confirmed_by = NULL'),
  planting('payout-account', 'UPDATE bank_accounts SET noticed_at = NULL'),
  planting(
    'payout-account',
    `UPDATE bank_accounts a SET created_at = p.approved_at - interval '23 hours' FROM payouts p
     WHERE p.bank_account_id = a.id AND p.approved_at IS NOT NULL`,
    'bank_accounts_times_check',
  ),
  planting(
    'payout-account',
    `UPDATE bank_accounts a SET confirmed_at = p.approved_at + interval '1 hour' FROM payouts p
     WHERE p.bank_account_id = a.id AND p.approved_at IS NOT NULL`,
    'bank_accounts_times_check',
  ),
  planting('payout-account', 'UPDATE bank_accounts SET retired_at = created_at'),
  planting('bank-account-day', `UPDATE bank_accounts SET usable_from = usable_from + '5 days'`),
  planting('bank-account-day', 'DELETE FROM bank_account_notices'),
  planting(
    'payout-return',
    `UPDATE bank_lines SET direction = 'out', kind = 'return', state = 'unmatched', looked_at = '2020-01-01'`,
  ),
  planting(
    'payout-left-before',
    `UPDATE bank_lines SET direction = 'out', state = 'unmatched', counterparty_account_type = NULL,
       created_at = '2020-01-01', end_to_end_id = (SELECT replace(id::text, '-', '') FROM payouts
         WHERE mode = 'test' AND status = 'paid' LIMIT 1)
     WHERE mode = 'test' AND status = 'booked'`,
  ),
  planting('payout-paid-at', `UPDATE payouts SET paid_at = NULL WHERE status = 'paid'`),
  planting(
    'payout-file-sums',
    `UPDATE payouts SET file_id = NULL WHERE status = 'submitted'`,
    'payouts_file_check',
  ),
  planting(
    'payout-file-sums',
    `UPDATE payouts SET file_id = (SELECT id FROM payout_files WHERE not_sent_at IS NOT NULL)
     WHERE status = 'approved'`,
  ),
  planting('payout-file-sums', `UPDATE payout_files SET currency = 'USD'`),
  planting('payout-file-bytes', `UPDATE payout_files SET content = content || ' '`),
  ...[
    `replace(content, 'FR1420041010050500013M02606', 'NL91ABNA0417164300')`,
    `regexp_replace(content, '(<InstdAmt Ccy="...">)', '\\19')`,
    `regexp_replace(content, '\\.([0-9]{2}</InstdAmt>)', '\\1')`,
    `regexp_replace(content, '<EndToEndId>.', '<EndToEndId>x')`,
    `regexp_replace(content, '(<CdtTrfTxInf>.*</CdtTrfTxInf>)', '\\1 \\1')`,
    `replace(content, 'Test Shop</Nm>', 'Test Shop</Nm><Nm/>')`,
  ].map((content) =>
    planting(
      'payout-file-content',
      `UPDATE payout_files SET content = ${content};
       UPDATE payout_files SET sha256 = sha256(convert_to(content, 'UTF8'))`,
    ),
  ),
  planting('payout-events', 'DELETE FROM events WHERE payout_id IS NOT NULL AND sequence = 1'),
  planting('payout-events', 'DELETE FROM events WHERE payout_id IS NOT NULL'),
  planting('payout-events', `UPDATE payouts SET status = 'submitted' WHERE status = 'exported'`),
];

const NOTIFICATIONS: readonly Planting[] = [
  planting('event-subject', `UPDATE events SET mode = 'live'`),
  planting('event-subject', `UPDATE events SET type = 'order.paid' WHERE payout_id IS NOT NULL`),
  planting('event-feed', 'UPDATE event_feeds SET last_position = last_position + 1'),
  planting('event-feed', 'UPDATE events SET position = NULL WHERE position = 2'),
  planting(
    'webhook-queued',
    `DELETE FROM deliveries WHERE endpoint_id IS NOT NULL AND type = 'order.failed'`,
  ),
  planting(
    'webhook-queued',
    `DELETE FROM deliveries WHERE endpoint_id IS NOT NULL AND type = 'payout.paid'`,
  ),
  planting('mail-queued', 'DELETE FROM deliveries WHERE recipient_id IS NOT NULL'),
  planting(
    'delivery-once',
    again('deliveries', 'endpoint_id IS NOT NULL'),
    'deliveries_webhook_once',
  ),
  planting(
    'delivery-once',
    again('deliveries', 'recipient_id IS NOT NULL'),
    'deliveries_mail_once',
  ),
  planting(
    'delivery-event',
    `UPDATE deliveries SET type = 'order.failed' WHERE type = 'order.paid'`,
  ),
  planting('delivery-event', 'UPDATE deliveries SET txid = NULL WHERE txid IS NOT NULL'),
  planting('delivery-target', `UPDATE webhook_endpoints SET mode = 'live'`),
  planting('delivery-target', `UPDATE notification_recipients SET mode = 'live'`),
  planting('delivery-attempts', 'UPDATE deliveries SET attempts = attempts + 1'),
  planting('delivery-attempts', 'DELETE FROM delivery_attempts WHERE succeeded'),
  planting(
    'delivery-attempts',
    `UPDATE delivery_attempts SET succeeded = true`,
    'delivery_attempts_error_check',
  ),
  planting('delivery-end', `UPDATE deliveries SET status = 'failed' WHERE status = 'delivered'`),
  planting(
    'delivery-end',
    `UPDATE deliveries SET next_attempt_at = NULL WHERE status = 'pending'`,
    'deliveries_pending_check',
  ),
  planting(
    'delivery-ahead',
    `UPDATE deliveries SET next_attempt_at = '2099-01-01' WHERE status = 'pending'`,
  ),
];

const PEOPLE: readonly Planting[] = [
  planting(
    'secret-hashes',
    `UPDATE api_keys SET key_hash = '\\xab' WHERE id = (SELECT id FROM api_keys LIMIT 1)`,
    'api_keys_hash_check',
  ),
  planting('secret-hashes', `UPDATE api_keys SET hint = 'pos_test_abcdef'`),
  planting('secret-hashes', `UPDATE users SET password_hash = 'six wet grey herons'`),
  planting(
    'secret-hashes',
    `UPDATE user_sessions SET token_hash = '\\xab'`,
    'user_sessions_hash_check',
    'user_sessions_token',
  ),
  planting('link-token', `${LINK}, '2020-01-01', '2020-01-01')`),
  planting('session-life', `UPDATE user_sessions SET seen_at = created_at + interval '13 hours'`),
  planting('disabled-people', 'UPDATE users SET disabled_at = created_at'),
  planting(
    'one-side',
    `UPDATE users SET platform_role = 'support' WHERE id IN (SELECT user_id FROM memberships)`,
  ),
  planting(
    'key-maker',
    `UPDATE api_keys SET created_by = gen_random_uuid(), scopes = '{payouts:read}'
     WHERE mode = 'live'`,
  ),
  planting(
    'key-maker',
    `UPDATE api_keys k SET created_by = m.user_id, scopes = '{payouts:read}' FROM memberships m
     WHERE k.mode = 'live' AND m.merchant_id = k.merchant_id AND m.role = 'owner';
     UPDATE memberships SET role = 'developer'`,
  ),
  planting('merchant-people', 'DELETE FROM merchant_people'),
  planting(
    'merchant-owner',
    `INSERT INTO former_owners SELECT merchant_id, user_id, created_at FROM memberships
       WHERE role = 'owner';
     DELETE FROM memberships WHERE role = 'owner'`,
  ),
  planting(
    'endpoint-maker',
    `UPDATE api_keys SET scopes = '{events:read}';
     UPDATE webhook_endpoints t SET made_by = NULL, made_by_key =
       (SELECT id FROM api_keys k WHERE k.merchant_id = t.merchant_id LIMIT 1)`,
  ),
  planting(
    'endpoint-maker',
    `UPDATE memberships SET role = 'developer';
     UPDATE webhook_endpoints t SET created_at = '2099-01-01', made_by_key = NULL, made_by =
       (SELECT user_id FROM memberships m WHERE m.merchant_id = t.merchant_id LIMIT 1)`,
  ),
];

const OVERDUE: readonly Planting[] = [
  planting(
    'order-overdue',
    `UPDATE orders SET created_at = '2020-01-01', expires_at = '2020-01-02' WHERE status = 'open'`,
  ),
  planting(
    'payment-overdue',
    `UPDATE payments SET next_poll_at = '2020-01-01' WHERE status = 'pending'`,
  ),
  planting(
    'provider-event-overdue',
    `UPDATE provider_events SET applied_at = NULL, result = NULL, received_at = '2020-01-01'`,
  ),
  planting('sandbox-overdue', `UPDATE sandbox_transactions SET due_at = '2020-01-01'`),
  planting(
    'delivery-overdue',
    `UPDATE deliveries SET next_attempt_at = '2020-01-01' WHERE status = 'pending'`,
  ),
  planting(
    'bank-line-overdue',
    `UPDATE bank_lines SET looked_at = NULL, created_at = '2020-01-01'`,
  ),
  planting(
    'bank-file-overdue',
    `UPDATE bank_files SET imported_at = NULL, created_at = '2020-01-01'`,
  ),
  planting('link-overdue', `${LINK}, NULL, '2020-01-01')`),
  planting(
    'bank-account-notice-overdue',
    `UPDATE bank_account_notices SET sent_at = NULL, next_attempt_at = '2020-01-01'`,
  ),
  planting(
    'user-notice-overdue',
    `INSERT INTO user_notices (id, user_id, kind, data, created_at, next_attempt_at)
     SELECT gen_random_uuid(), id, 'codes-guessed', '{}', created_at, '2020-01-01' FROM users`,
  ),
  planting(
    'payout-schedule-overdue',
    `INSERT INTO payout_schedules (merchant_id, mode, currency, frequency, minimum_amount,
       bank_account_id, next_run_at, updated_at)
     SELECT merchant_id, mode, 'EUR', 'daily', 1, id, '2020-01-01', '2020-01-01'
     FROM bank_accounts`,
  ),
];

/** As a role or a database may have it, for this transaction alone. */
const SERVER: readonly Planting[] = [
  planting('server-durability', 'SET LOCAL synchronous_commit = off'),
];

/** At least one for each fact. */
export const PLANTINGS: readonly Planting[] = [
  ...ORDERS,
  ...PAYMENTS,
  ...LEDGER,
  ...BANK,
  ...PAYOUTS,
  ...MONEY_HAND_PLANTINGS,
  ...NOTIFICATIONS,
  ...PEOPLE,
  ...SERVER,
  ...OVERDUE,
];
