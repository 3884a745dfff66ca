import type { TestApp } from './app.js';
import type { Client } from './client.js';
import { select } from './facts.js';
import { Cashier, paidOrder } from './payouts.js';
import { FOREIGN, NEW, PAST, violation } from './violation.js';

type Change = Readonly<Record<string, unknown>>;

const account = (rule: string, why: string, change: Change) =>
  violation(rule, 'bank_accounts', 'true', why, {
    id: NEW.id,
    iban: 'NL91ABNA0417164300',
    ...change,
  });

const notice = (rule: string, why: string, change: Change) =>
  violation(rule, 'bank_account_notices', 'true', why, change);

const transfer = (rule: string, why: string, change: Change) =>
  violation(rule, 'transfers', `kind = 'payment'`, why, {
    id: NEW.id,
    currency: 'USD',
    ...change,
  });

const reversal = (rule: string, why: string, change: Change) =>
  violation(rule, 'transfers', `kind = 'reversal'`, why, { id: NEW.id, ...change });

const reserved = (rule: string, why: string, change: Change) =>
  violation(rule, 'transfers', `kind = 'payout_reserved'`, why, {
    id: NEW.id,
    payout_version: 99,
    ...change,
  });

const file = (rule: string, why: string, change: Change) =>
  violation(rule, 'payout_files', 'true', why, { id: NEW.id, message_id: 'other', ...change });

const payout = (rule: string, why: string, change: Change) =>
  violation(rule, 'payouts', `status = 'paid'`, why, { id: NEW.id, form_id: null, ...change });

const line = (rule: string, why: string, change: Change) =>
  violation(rule, 'payout_lines', 'true', why, { number: 99, ...change });

const hand = (rule: string, why: string, change: Change) =>
  violation(rule, 'payout_hands', `act = 'requested'`, why, { act: 'changed', ...change });

const schedule = (rule: string, why: string, change: Change) =>
  violation(rule, 'payout_schedules', 'true', why, { currency: 'USD', ...change });

const fee = (rule: string, why: string, change: Change) =>
  violation(rule, 'fee_rates', 'true', why, { currency: 'USD', ...change });

const balance = (rule: string, why: string, change: Change) =>
  violation(rule, 'balances', 'true', why, { account: 'other', ...change });

const event = (rule: string, why: string, change: Change) =>
  violation(rule, 'events', 'payout_id IS NOT NULL', why, {
    id: NEW.id,
    position: null,
    sequence: 99,
    ...change,
  });

/** The rules about money that has come and goes on. */
export const LEDGER_VIOLATIONS = [
  balance('balances_pk', 'an account again', { account: undefined }),
  balance('balances_mode_check', 'a third mode', { mode: 'demo' }),
  balance('balances_currency_check', 'a currency that is none', { currency: 'eur' }),
  balance('balances_merchant_fk', 'of nobody', { merchant_id: FOREIGN }),

  fee('fee_rates_pk', 'a rate again', { currency: undefined }),
  fee('fee_rates_currency_check', 'a currency that is none', { currency: 'usd' }),
  fee('fee_rates_parts_check', 'more than all', { parts_per_million: 1_000_001 }),
  fee('fee_rates_fixed_check', 'less than nothing', { fixed: -1 }),
  fee('fee_rates_merchant_fk', 'of nobody', { merchant_id: FOREIGN }),

  transfer('transfers_pk', 'a transfer again', { id: undefined }),
  transfer('transfers_payment_once', 'a payment booked twice', { currency: undefined }),
  transfer('transfers_mode_check', 'a third mode', { mode: 'demo' }),
  transfer('transfers_currency_check', 'a currency that is none', { currency: 'usd' }),
  transfer('transfers_kind_check', 'a kind that is none', { kind: 'gift' }),
  transfer('transfers_amount_check', 'nothing', { amount: 0 }),
  transfer('transfers_accounts_check', 'from where it goes', {
    debit: 'available',
    credit: 'available',
  }),
  transfer('transfers_cause_check', 'for no reason', { payment_id: null, txid: null }),
  transfer('transfers_reversal_check', 'a note on what takes nothing back', { note: 'x' }),
  transfer('transfers_merchant_fk', 'of nobody', { merchant_id: FOREIGN, payment_id: NEW.id }),
  transfer('transfers_order_fk', 'of no order', { txid: NEW.txid }),
  transfer('transfers_payment_fk', 'of no payment', { payment_id: NEW.id }),
  reversal('transfers_reversed_once', 'taken back twice', {}),
  reversal('transfers_reverses_fk', 'takes nothing back', { reverses_id: NEW.txid }),
  reserved('transfers_payout_once', 'reserved twice', { payout_version: undefined }),
  reserved('transfers_payout_fk', 'of no payout', { payout_id: NEW.id }),

  account('bank_accounts_pk', 'an account again', { id: undefined }),
  account('bank_accounts_once', 'an IBAN again', { iban: undefined }),
  account('bank_accounts_mode_check', 'a third mode', { mode: 'demo' }),
  account('bank_accounts_holder_check', 'of no name', { holder: '' }),
  account('bank_accounts_iban_check', 'an IBAN that is none', { iban: '12' }),
  account('bank_accounts_confirmed_check', 'confirmed by nobody', { confirmed_by: null }),
  account('bank_accounts_times_check', 'used on its first day', { usable_from: PAST }),
  account('bank_accounts_merchant_fk', 'of nobody', { merchant_id: FOREIGN }),
  account('bank_accounts_created_by_fk', 'added by nobody', { created_by: FOREIGN }),
  account('bank_accounts_confirmed_by_fk', 'confirmed by a stranger', { confirmed_by: FOREIGN }),
  notice('bank_account_notices_pk', 'a mail again', {}),
  notice('bank_account_notices_sent_check', 'sent, and due', {
    sent_at: PAST,
    next_attempt_at: PAST,
  }),
  notice('bank_account_notices_account_fk', 'about no account', { bank_account_id: NEW.id }),
  notice('bank_account_notices_user_fk', 'to nobody', { user_id: FOREIGN }),

  file('payout_files_pk', 'a file again', { id: undefined }),
  file('payout_files_message', 'a message again', { message_id: undefined }),
  file('payout_files_mode_check', 'a third mode', { mode: 'demo' }),
  file('payout_files_format_check', 'a format that is none', { format: 'csv' }),
  file('payout_files_sha256_check', 'a hash that is none', { sha256: '\\xab' }),
  file('payout_files_payouts_check', 'of no payouts', { payouts: 0 }),
  file('payout_files_amount_check', 'of no money', { amount: 0 }),
  file('payout_files_created_by_fk', 'by nobody', { created_by: FOREIGN }),

  payout('payouts_pk', 'a payout again', { id: undefined }),
  payout('payouts_id', 'an id of another merchant', { id: undefined, merchant_id: FOREIGN }),
  payout('payouts_form', 'by a form again', { form_id: undefined }),
  payout('payouts_mode_check', 'a third mode', { mode: 'demo' }),
  payout('payouts_currency_check', 'a currency that is none', { currency: 'eur' }),
  payout('payouts_amount_check', 'of nothing', { amount: 0 }),
  payout('payouts_status_check', 'a status that is none', { status: 'lost', paid_at: null }),
  payout('payouts_version_check', 'before its first version', { version: 0 }),
  payout('payouts_hash_check', 'of no content', { content_hash: null }),
  payout('payouts_approved_check', 'approved by nobody', {
    approved_by: null,
    approved_at: null,
    approved_hash: null,
  }),
  payout('payouts_file_check', 'paid without a file', { file_id: null }),
  payout('payouts_paid_at_check', 'paid before its time', { status: 'submitted' }),
  payout('payouts_refund_check', 'a refund to an account of the merchant', { refund_id: NEW.id }),
  payout('payouts_remittance_check', 'a text that banks refuse', {
    refund_id: NEW.id,
    bank_account_id: null,
    remittance: 'ü',
  }),
  payout('payouts_refund_fk', 'of no refund', {
    refund_id: NEW.id,
    bank_account_id: null,
    remittance: 'Refund',
  }),
  payout('payouts_merchant_fk', 'of nobody', { merchant_id: FOREIGN }),
  payout('payouts_bank_account_fk', 'to nowhere', { bank_account_id: NEW.id }),
  payout('payouts_requested_by_fk', 'asked for by a stranger', { requested_by: FOREIGN }),
  payout('payouts_approved_by_fk', 'approved by a stranger', { approved_by: FOREIGN }),
  payout('payouts_file_fk', 'in no file', { file_id: NEW.id }),

  line('payout_lines_pk', 'a number again', { number: undefined }),
  line('payout_lines_transfer', 'a transfer again', {}),
  line('payout_lines_number_check', 'number nought', { number: 0 }),
  line('payout_lines_kind_check', 'a kind that is none', { kind: 'gift' }),
  line('payout_lines_amount_check', 'nothing', { amount: 0 }),
  line('payout_lines_payout_fk', 'of no payout', { payout_id: NEW.id }),
  line('payout_lines_transfer_fk', 'of no transfer', { transfer_id: NEW.id }),

  hand('payout_hands_pk', 'a hand again', { act: undefined }),
  hand('payout_hands_act_check', 'an act that is none', { act: 'approved' }),
  hand('payout_hands_payout_fk', 'in no payout', { payout_id: NEW.id }),
  hand('payout_hands_user_fk', 'of nobody', { user_id: FOREIGN }),

  schedule('payout_schedules_pk', 'a schedule again', { currency: undefined }),
  schedule('payout_schedules_mode_check', 'a third mode', { mode: 'demo' }),
  schedule('payout_schedules_currency_check', 'a currency that is none', { currency: 'usd' }),
  schedule('payout_schedules_frequency_check', 'a frequency that is none', {
    frequency: 'hourly',
    day: 1,
  }),
  schedule('payout_schedules_day_check', 'a day that is none', { frequency: 'weekly', day: 8 }),
  schedule('payout_schedules_minimum_check', 'at least nothing', { minimum_amount: 0 }),
  schedule('payout_schedules_bank_account_fk', 'to nowhere', { bank_account_id: NEW.id }),

  event('events_payout', 'a number again', { sequence: 1 }),
  event('events_subject_check', 'about nothing', { payout_id: null }),
  event('events_payout_fk', 'about no payout', { payout_id: NEW.id }),

  violation('doctor_reports_pk', 'doctor_reports', 'true', 'a report again', {}),
  violation('jobs_pk', 'jobs', 'true', 'a job again', {}),
];

/** One row of each, as life makes them where that is easy. */
export async function makeLedgerRows(app: TestApp, shop: Client): Promise<void> {
  const cashier = await Cashier.of(app, shop);
  const { txid } = await paidOrder(shop, 1_000);
  await paidOrder(shop, 5_000);
  await cashier.paid(4_000);
  const [{ id }] = (await select<{ id: string }>(
    app,
    `SELECT id FROM transfers WHERE txid = $1 AND kind = 'payment'`,
    [txid],
  )) as [{ id: string }];
  await cashier.takeBack(id, 'A mistake');
  await select(app, 'UPDATE payouts SET form_id = gen_random_uuid()');
  const { merchantId } = shop;
  await select(
    app,
    `INSERT INTO fee_rates (merchant_id, provider, currency, parts_per_million, fixed, updated_at)
     VALUES ($1, 'other', 'EUR', 1, 1, now())`,
    [merchantId],
  );
  await select(
    app,
    `INSERT INTO payout_schedules (merchant_id, mode, currency, frequency, day, minimum_amount,
       bank_account_id, next_run_at, updated_at)
     SELECT merchant_id, mode, 'EUR', 'weekly', 1, 1, id, now(), now() FROM bank_accounts LIMIT 1`,
  );
  await select(
    app,
    `INSERT INTO doctor_reports (name, due_at) VALUES ('facts', now()) ON CONFLICT DO NOTHING`,
  );
  await select(app, `INSERT INTO jobs (name, due_at) VALUES ('sweep', now())`);
}
