import { beforeAll, describe, expect, it } from '@jest/globals';
import { startPayment } from './support/bank.js';
import type { OrderJson } from './support/client.js';
import { failToDeliver, subscribe } from './support/delivery-rows.js';
import { select } from './support/facts.js';
import { readAll } from './support/feed.js';
import { BANK_VIOLATIONS, makeBankRows } from './support/bank-violations.js';
import { makeRefundRows, REFUND_VIOLATIONS } from './support/refund-violations.js';
import { LEDGER_VIOLATIONS, makeLedgerRows } from './support/ledger-violations.js';
import { makePortalRows, PORTAL_VIOLATIONS } from './support/portal-violations.js';
import { PAYS } from './support/payouts.js';
import { person } from './support/people.js';
import { openShop } from './support/shop.js';
import { FOREIGN, HASH, NEW, PAST, type Violation, violation } from './support/violation.js';

const OPEN = `order_merchant_id = 'OPEN'`;
const LIVE = `status = 'pending'`;
const DONE = 'completes_order';

const order = (rule: string, why: string, change: Readonly<Record<string, unknown>>) =>
  violation(rule, 'orders', OPEN, why, {
    txid: NEW.txid,
    order_merchant_id: `NEW-${rule}`,
    ...change,
  });

const payment = (rule: string, why: string, change: Readonly<Record<string, unknown>>) =>
  violation(rule, 'payments', DONE, why, {
    id: NEW.id,
    provider_reference: null,
    completes_order: false,
    ...change,
  });

const event = (rule: string, why: string, change: Readonly<Record<string, unknown>>) =>
  violation(rule, 'events', 'position = 1', why, { id: NEW.id, sequence: 9, ...change });

const endpoint = (rule: string, why: string, change: Readonly<Record<string, unknown>>) =>
  violation(rule, 'webhook_endpoints', 'true', why, { id: NEW.id, ...change });

const recipient = (rule: string, why: string, change: Readonly<Record<string, unknown>>) =>
  violation(rule, 'notification_recipients', 'true', why, {
    id: NEW.id,
    email: 'other@shop.example',
    token: 'other',
    ...change,
  });

const webhook = (rule: string, why: string, change: Readonly<Record<string, unknown>>) =>
  violation(rule, 'deliveries', 'endpoint_id IS NOT NULL', why, {
    id: NEW.id,
    resent: true,
    ...change,
  });

const mail = (rule: string, why: string, change: Readonly<Record<string, unknown>>) =>
  violation(rule, 'deliveries', 'recipient_id IS NOT NULL', why, { id: NEW.id, ...change });

const attempt = (rule: string, why: string, change: Readonly<Record<string, unknown>>) =>
  violation(rule, 'delivery_attempts', 'NOT succeeded', why, { number: 2, ...change });

const VIOLATIONS: readonly Violation[] = [
  order('orders_pk', 'a txid again', { txid: undefined }),
  order('orders_order_merchant_id_once', 'an id that an order holds', {
    order_merchant_id: undefined,
  }),
  order('orders_mode_check', 'a third mode', { mode: 'demo' }),
  order('orders_order_merchant_id_check', 'an empty id', { order_merchant_id: '' }),
  order('orders_order_merchant_id_check', 'a long id', { order_merchant_id: 'x'.repeat(65) }),
  order('orders_status_check', 'a status that is none', { status: 'settled' }),
  order('orders_exception_check', 'an exception that is none', { exception: 'late' }),
  order('orders_fee_check', 'a fee above the order', { fee: 99_999_999_999 }),
  order('orders_amount_check', 'nothing to pay', { amount: 0 }),
  order('orders_amount_check', 'too much to pay', { amount: 100_000_000_000 }),
  order('orders_currency_check', 'a currency that is none', { currency: 'eur' }),
  order('orders_paid_at_check', 'paid at no time', { status: 'paid', amount_received: 8990 }),
  order('orders_paid_at_check', 'open with a time of payment', { paid_at: '2027-01-01T00:00:00Z' }),
  order('orders_paid_in_full_check', 'paid with too little', {
    status: 'paid',
    status_reason: 'exact',
    amount_received: 8989,
    paid_at: '2027-01-01T00:00:00Z',
  }),
  order('orders_paid_in_full_check', 'paid with nothing, for no reason', {
    status: 'paid',
    paid_at: '2027-01-01T00:00:00Z',
  }),
  order('orders_accepted_in_full', 'accepted with too little', {
    status: 'paid',
    status_reason: 'manual',
    amount_received: 8989,
    paid_at: '2027-01-01T00:00:00Z',
  }),
  order('orders_refunded_check', 'more sent back than received', { amount_refunded: 1 }),
  order('orders_refunded_check', 'less than nothing sent back', { amount_refunded: -1 }),
  order('orders_charged_back_check', 'less than nothing taken back', {
    amount_charged_back: -1,
    amount_received: 1,
  }),
  order('orders_holds_merchant_id_check', 'open without its id', { holds_merchant_id: false }),
  order('orders_times_check', 'expired before it was created', { expires_at: PAST }),
  order('orders_times_check', 'paid before it was created', {
    status: 'paid',
    amount_received: 8990,
    paid_at: PAST,
  }),

  payment('payments_pk', 'a payment again', { id: undefined }),
  payment('payments_order_fk', 'a payment of another merchant’s order', { merchant_id: FOREIGN }),
  payment('payments_order_fk', 'a payment of no order', { txid: NEW.txid }),
  payment('payments_status_check', 'a status that is none', { status: 'settled' }),
  payment('payments_amount_check', 'a payment of nothing', { amount: 0 }),
  payment('payments_received_check', 'success without money', { amount_received: null }),
  payment('payments_completes_check', 'a failure that pays', {
    status: 'failed',
    completes_order: true,
  }),
  payment('payments_one_completes', 'a second payment that pays', { completes_order: true }),
  payment('payments_provider_reference', 'a provider’s reference again', {
    provider_reference: undefined,
  }),
  violation('payments_one_live', 'payments', LIVE, 'a second live payment', {
    id: NEW.id,
    provider_reference: null,
  }),

  violation('events_pk', 'events', 'sequence = 1', 'an event again', { sequence: 9 }),
  violation('events_order', 'events', 'sequence = 1', 'a number in the history again', {
    id: NEW.id,
  }),
  violation('events_sequence_check', 'events', 'sequence = 1', 'a number before the first', {
    id: NEW.id,
    sequence: 0,
  }),

  event('events_feed', 'a place in the feed again', {}),
  event('events_position_check', 'a place before the first', { position: 0 }),
  event('events_mode_check', 'a third mode', { mode: 'demo' }),
  violation('event_feeds_pk', 'event_feeds', 'true', 'a feed again', {}),
  violation('event_feeds_mode_check', 'event_feeds', 'true', 'a third mode', { mode: 'demo' }),
  violation('event_feeds_merchant_fk', 'event_feeds', 'true', 'a feed of nobody', {
    merchant_id: FOREIGN,
  }),

  endpoint('webhook_endpoints_pk', 'an endpoint again', { id: undefined }),
  endpoint('webhook_endpoints_merchant_fk', 'an endpoint of nobody', { merchant_id: FOREIGN }),
  endpoint('webhook_endpoints_mode_check', 'a third mode', { mode: 'demo' }),
  endpoint('webhook_endpoints_reason_check', 'disabled for a reason that is none', {
    enabled: false,
    disabled_reason: 'tired',
  }),
  endpoint('webhook_endpoints_enabled_check', 'disabled for no reason', { enabled: false }),
  endpoint('webhook_endpoints_enabled_check', 'enabled, with a reason why it is not', {
    disabled_reason: 'gone',
  }),
  endpoint('webhook_endpoints_maker_check', 'made by two', {
    made_by: NEW.id,
    made_by_key: NEW.id,
    sees_payouts: false,
  }),
  endpoint('webhook_endpoints_payouts_check', 'wants to hear what it must not', {
    event_types: ['payout.paid'],
    sees_payouts: false,
  }),
  endpoint('webhook_endpoints_payouts_held', 'sees what its maker does not', { made_by: NEW.id }),
  endpoint('webhook_endpoints_reads_events', 'hears what its maker may not read', {
    made_by: NEW.id,
    sees_payouts: false,
  }),
  endpoint('webhook_endpoints_field_check', 'a field without its value', { field_key: 'shop' }),
  endpoint('webhook_endpoints_roll_check', 'an old secret that never ends', {
    previous_secret: 'whsec_x',
  }),
  endpoint('webhook_endpoints_roll_check', 'the end of no secret', { previous_secret_until: PAST }),

  recipient('notification_recipients_pk', 'a recipient again', { id: undefined }),
  recipient('notification_recipients_merchant_fk', 'of nobody', { merchant_id: FOREIGN }),
  recipient('notification_recipients_mode_check', 'a third mode', { mode: 'demo' }),
  recipient('notification_recipients_email', 'a mailbox again', { email: undefined }),
  recipient('notification_recipients_amount_check', 'from no amount on', { minimum_amount: 0 }),
  recipient('notification_recipients_deleted_check', 'no address', { email: null }),
  recipient('notification_recipients_deleted_check', 'deleted, with its address', {
    deleted_at: PAST,
  }),

  webhook('deliveries_pk', 'a delivery again', { id: undefined }),
  webhook('deliveries_webhook_once', 'an event to an endpoint again', { resent: false }),
  mail('deliveries_mail_once', 'an event to a mailbox again', {}),
  webhook('deliveries_event_fk', 'of no event', { event_id: NEW.id }),
  webhook('deliveries_endpoint_fk', 'to no endpoint', { endpoint_id: NEW.id }),
  mail('deliveries_recipient_fk', 'to no recipient', { recipient_id: NEW.id }),
  webhook('deliveries_mode_check', 'a third mode', { mode: 'demo' }),
  webhook('deliveries_status_check', 'a status that is none', {
    status: 'lost',
    next_attempt_at: null,
    completed_at: PAST,
  }),
  webhook('deliveries_target_check', 'to nobody', { endpoint_id: null }),
  webhook('deliveries_target_check', 'to two', { recipient_id: NEW.id }),
  webhook('deliveries_event_check', 'an order without an event', { event_id: null }),
  webhook('deliveries_pending_check', 'pending, and never due', { next_attempt_at: null }),
  webhook('deliveries_pending_check', 'delivered, and due', {
    status: 'delivered',
    completed_at: PAST,
  }),
  webhook('deliveries_completed_check', 'pending, and completed', { completed_at: PAST }),
  webhook('deliveries_completed_check', 'delivered at no time', {
    status: 'delivered',
    next_attempt_at: null,
  }),

  attempt('delivery_attempts_pk', 'an attempt again', { number: undefined }),
  attempt('delivery_attempts_number_check', 'a number before the first', { number: 0 }),
  attempt('delivery_attempts_delivery_fk', 'of no delivery', { delivery_id: NEW.id }),
  attempt('delivery_attempts_error_check', 'failed for no reason', { error: null }),
  attempt('delivery_attempts_error_check', 'succeeded, with an error', { succeeded: true }),

  violation('provider_events_pk', 'provider_events', 'true', 'an event again', {
    provider_event_id: 'other',
  }),
  violation('provider_events_once', 'provider_events', 'true', 'a provider’s event again', {
    id: NEW.id,
  }),
  violation('provider_events_unreadable_check', 'provider_events', 'true', 'applied, to nothing', {
    id: NEW.id,
    provider_event_id: 'other',
    payment_id: null,
  }),
  violation('provider_events_merchant_fk', 'provider_events', 'true', 'an event of nobody', {
    merchant_id: FOREIGN,
  }),
  violation('provider_events_mode_check', 'provider_events', 'true', 'a third mode', {
    id: NEW.id,
    provider_event_id: 'another mode',
    mode: 'demo',
  }),
  violation('provider_events_result_check', 'provider_events', 'true', 'applied, to no result', {
    id: NEW.id,
    provider_event_id: 'other',
    result: null,
  }),
  violation('provider_events_handled_check', 'provider_events', 'true', 'dealt with too early', {
    id: NEW.id,
    provider_event_id: 'early',
    result: null,
    applied_at: null,
    handled_at: new Date(),
    received_at: new Date(Date.now() - 24 * 3_600_000 + 60_000),
  }),

  violation('idempotency_records_pk', 'idempotency_records', 'true', 'a key again', {}),
  violation('idempotency_records_key_check', 'idempotency_records', 'true', 'a long key', {
    key: 'k'.repeat(256),
  }),
  violation('idempotency_records_answer_check', 'idempotency_records', 'true', 'half an answer', {
    key: 'half',
    body: null,
  }),

  violation('asked_mailboxes_pk', 'asked_mailboxes', 'true', 'a mailbox again', {}),
  violation('asked_mailboxes_merchant_fk', 'asked_mailboxes', 'true', 'by nobody', {
    merchant_id: FOREIGN,
  }),
  violation('asked_mailboxes_hash_check', 'asked_mailboxes', 'true', 'a hash that is none', {
    address_hash: '\\xab',
  }),
  violation('asked_mailboxes_mode_check', 'asked_mailboxes', 'true', 'a third mode', {
    mode: 'demo',
  }),
  violation('asked_mailboxes_questions_check', 'asked_mailboxes', 'true', 'never asked', {
    address_hash: HASH,
    questions: 0,
  }),

  violation('schema_fence_pk', 'schema_fence', 'true', 'a fence again', {}),
  violation('schema_fence_id_check', 'schema_fence', 'true', 'a second fence', { id: 2 }),
  violation('operating_rules_pk', 'operating_rules', 'true', 'rules again', {}),
  violation('operating_rules_id_check', 'operating_rules', 'true', 'second rules', { id: 2 }),
  violation('operating_rules_waiting_hours_check', 'operating_rules', 'true', 'no waiting', {
    waiting_hours: 0,
  }),

  violation('api_keys_pk', 'api_keys', 'true', 'a key again', { key_hash: HASH }),
  violation('api_keys_hash_check', 'api_keys', 'true', 'a hash that is none', {
    id: NEW.id,
    key_hash: '\\xab',
  }),
  violation('api_keys_mode_check', 'api_keys', 'true', 'a third mode', {
    id: NEW.id,
    key_hash: HASH,
    mode: 'demo',
  }),
  violation('api_keys_merchant_fk', 'api_keys', 'true', 'a key of nobody', {
    merchant_id: FOREIGN,
    key_hash: HASH,
  }),
  violation('deprecated_calls_pk', 'deprecated_calls', 'true', 'a day again', {}),
  violation('deprecated_calls_api_key_fk', 'deprecated_calls', 'true', 'another’s key', {
    merchant_id: FOREIGN,
  }),

  violation('merchants_pk', 'merchants', 'true', 'a merchant again', {}),
  violation('merchants_name_check', 'merchants', 'true', 'no name', { id: NEW.id, name: '' }),
  violation('merchants_colour_check', 'merchants', 'true', 'a colour that is none', {
    id: NEW.id,
    colour: 'red',
  }),
  violation('provider_accounts_pk', 'provider_accounts', 'true', 'an account again', {}),
  violation('provider_accounts_mode_check', 'provider_accounts', 'true', 'a third mode', {
    mode: 'demo',
  }),
  violation('provider_accounts_merchant_fk', 'provider_accounts', 'true', 'of nobody', {
    merchant_id: FOREIGN,
  }),

  violation('sandbox_transactions_pk', 'sandbox_transactions', 'true', 'a line again', {}),
  violation('sandbox_transactions_payment_fk', 'sandbox_transactions', 'true', 'no payment', {
    payment_id: NEW.id,
  }),
  violation('sandbox_transactions_outcome_check', 'sandbox_transactions', 'true', 'no outcome', {
    outcome: 'settled',
  }),

  ...PORTAL_VIOLATIONS,
  ...LEDGER_VIOLATIONS,
  ...REFUND_VIOLATIONS,
  ...BANK_VIOLATIONS,
];

/** `refunds.e2e` and others try them: a copy of a row meets another rule first. */
const TESTED_ELSEWHERE = [
  'payouts_two_people_check',
  'refunds_two_people_check',
  'refunds_approved_by_fk',
  'refunds_approved_check',
  'refunds_requester_check',
  'refunds_status_check',
  'refund_payees_pk',
  'refund_payees_refund_fk',
  'refund_payees_confirmed_by_fk',
  'refund_payees_confirmed_check',
  'refund_payees_entered_check',
  'refund_payees_holder_check',
  'refund_payees_iban_check',
];

const { app, shop } = await openShop({ env: PAYS });

describe('the database', () => {
  let paid: OrderJson;

  beforeAll(async () => {
    await subscribe(app, shop);
    const open = { orderMerchantId: 'OPEN', optionalFields: { colour: 'red' } };
    await shop.create(open, { 'idempotency-key': 'k' });
    await startPayment(app, await shop.order());
    paid = await shop.order({ orderMerchantId: 'PAID' });
    await makePortalRows(app, shop.merchantId);
    await makeRefundRows(app, shop);
    await shop.pay(paid.txid);
    await select(
      app,
      `INSERT INTO deprecated_calls SELECT merchant_id, id, 'GET', '2026-01-01', 1 FROM api_keys`,
    );
    await select(
      app,
      `INSERT INTO asked_mailboxes SELECT id, '${HASH}', 'test', now(), 1, NULL FROM merchants LIMIT 1`,
    );
    await makeLedgerRows(app, shop);
    await makeBankRows(app, shop);
    await failToDeliver(app);
    await readAll(shop);
  });

  const refusalOf = (sql: string, values: readonly unknown[] = []) =>
    select(app, sql, values).then(
      () => 'accepted',
      (error: { driverError?: { constraint?: string; message: string } }) =>
        error.driverError?.constraint ?? error.driverError?.message,
    );

  it.each(VIOLATIONS)('refuses in $table: $why ($rule)', async ({ rule, table, where, change }) => {
    const sql = `INSERT INTO ${table} SELECT (jsonb_populate_record(r, $1)).*
      FROM ${table} r WHERE ${where} LIMIT 1`;
    expect(await select(app, `SELECT 1 FROM ${table} WHERE ${where}`)).not.toEqual([]);
    expect(await refusalOf(sql, [JSON.stringify(change)])).toBe(rule);
  });

  it('refuses in payouts: approved by who asked (payouts_two_people_check)', async () => {
    const sql = `UPDATE payouts SET requested_by = approved_by WHERE status = 'paid'`;
    expect(await refusalOf(sql)).toBe('payouts_two_people_check');
  });

  it.each(['requested', 'account_added', 'account_confirmed'])(
    'refuses in payouts: approved by somebody who had a hand in it, as who %s',
    async (act) => {
      const sql = `UPDATE payouts p SET requested_by = NULL, approved_by = h.user_id
        FROM payout_hands h WHERE h.payout_id = p.id AND h.act = $1 AND p.status = 'paid'`;
      expect(await refusalOf(sql, [act])).toBe('payouts_second_person');
    },
  );

  it('refuses in payouts: approved by somebody who ever belonged to the merchant', async () => {
    const { id } = await person(app, 'viewer', shop.merchantId);
    await select(app, 'DELETE FROM memberships WHERE user_id = $1', [id]);
    const sql = `UPDATE payouts SET approved_by = $1 WHERE status = 'paid'`;
    expect(await refusalOf(sql, [id])).toBe('payouts_second_person');
  });

  it.each([
    ['accepted with nothing', `status = 'paid', paid_at = now()`, OPEN],
    ['paid, and then less', 'amount_received = amount - 1', `status = 'paid'`],
  ])('refuses in orders, by hand too: %s', async (_why, change, where) => {
    const sql = `UPDATE orders SET status_reason = 'manual', ${change} WHERE ${where}`;
    expect(await refusalOf(sql)).toBe('orders_accepted_in_full');
  });

  it('lets nobody say since when he owns a merchant, or that his mail begins the day', async () => {
    const since = `SELECT 1 FROM memberships WHERE owner_since < '2021-01-01'`;
    await select(app, `UPDATE memberships SET owner_since = '${PAST}' WHERE role = 'owner'`);
    expect(await select(app, since)).toEqual([]);
    const { id } = await person(app, 'owner', shop.merchantId);
    const sql = `INSERT INTO bank_account_notices (merchant_id, bank_account_id, user_id, is_seasoned)
      SELECT merchant_id, id, $1, true FROM bank_accounts WHERE merchant_id = $2 LIMIT 1`;
    await select(app, sql, [id, shop.merchantId]);
    expect(
      await select(app, 'SELECT is_seasoned FROM bank_account_notices WHERE user_id = $1', [id]),
    ).toEqual([{ is_seasoned: false }]);
  });

  it('has no other rule', async () => {
    const rules = await select<{ name: string }>(
      app,
      `SELECT conname AS name FROM pg_constraint
       WHERE connamespace = 'public'::regnamespace AND contype NOT IN ('n', 't')
         AND conrelid <> 'schema_migrations'::regclass
       UNION SELECT indexrelid::regclass::text FROM pg_index
       WHERE indisunique AND indrelid <> 'schema_migrations'::regclass
         AND indrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)`,
    );
    const tested = new Set([...VIOLATIONS.map(({ rule }) => rule), ...TESTED_ELSEWHERE]);
    expect(rules.map(({ name }) => name).filter((name) => !tested.has(name))).toEqual([]);
  });

  it.each([
    `UPDATE events SET type = 'order.paid'`,
    'DELETE FROM events',
    `UPDATE events SET mode = 'live'`,
    'UPDATE events SET position = position + 100',
    'UPDATE events SET position = NULL',
    'TRUNCATE events CASCADE',
    `UPDATE provider_events SET body = ''`,
    'UPDATE provider_events SET report = report',
    'DELETE FROM provider_events',
    'TRUNCATE provider_events',
    `UPDATE audit_entries SET action = 'other'`,
    'DELETE FROM audit_entries',
    'TRUNCATE audit_entries',
    'UPDATE transfers SET amount = amount + 1',
    'UPDATE transfers SET payout_id = NULL, payout_version = NULL',
    'DELETE FROM transfers',
    'UPDATE balances SET amount = amount + 1',
    `INSERT INTO balances SELECT merchant_id, mode, 'CHF', 'available', 100 FROM balances LIMIT 1`,
    `UPDATE balances SET account = 'other' WHERE account = 'available'`,
    'DELETE FROM balances',
    'TRUNCATE balances',
    'UPDATE refunds SET amount = amount + 1',
    `UPDATE refunds SET reason = 'other'`,
    'DELETE FROM refunds',
    'TRUNCATE refunds CASCADE',
    'TRUNCATE transfers CASCADE',
    `UPDATE payout_files SET content = ''`,
    'DELETE FROM payouts',
    'DELETE FROM payout_files',
    'TRUNCATE payout_files CASCADE',
    `UPDATE payout_hands SET act = 'changed'`,
    'DELETE FROM payout_hands',
    'TRUNCATE payout_hands',
    'UPDATE payout_lines SET number = number',
    'TRUNCATE payout_lines',
    'UPDATE bank_statements SET file_id = file_id',
    'DELETE FROM bank_statements',
    'UPDATE bank_line_places SET status = status',
    'DELETE FROM bank_line_places',
    'TRUNCATE bank_line_places',
    'UPDATE transfer_references SET reference = reference',
    'DELETE FROM transfer_references',
    'UPDATE bank_payout_lines SET created_at = created_at',
    'DELETE FROM bank_payout_lines',
    'TRUNCATE bank_payout_lines',
    `UPDATE orders SET amount = amount_received + 1 WHERE status = 'paid'`,
    'UPDATE merchant_people SET user_id = user_id',
    'DELETE FROM merchant_people',
    'TRUNCATE merchant_people',
  ])('refuses to rewrite history: %s', async (sql) => {
    expect(await refusalOf(sql)).toMatch(
      /^\w+ is append-only: (INSERT|UPDATE|DELETE|TRUNCATE) refused$/,
    );
  });

  it('refuses to delete what has a history', async () => {
    const remove = 'DELETE FROM orders WHERE txid = $1';
    expect(await refusalOf(remove, [paid.txid])).toMatch(/_order_fk$/);
    expect(await refusalOf('DELETE FROM merchants WHERE id = $1', [shop.merchantId])).toMatch(
      /_fk$/,
    );
  });

  it('takes the very rows of the table above when nothing is wrong with them', async () => {
    const change = { txid: NEW.txid, order_merchant_id: 'NEW' };
    const sql = `INSERT INTO orders SELECT (jsonb_populate_record(r, $1)).* FROM orders r WHERE ${OPEN}`;
    expect(await refusalOf(sql, [JSON.stringify(change)])).toBe('accepted');
  });
});
