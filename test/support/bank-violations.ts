import { randomUUID } from 'node:crypto';
import { uuidv7 } from '../../src/common/ids.js';
import { Database } from '../../src/database/database.js';
import type { TestApp } from './app.js';
import { bookedLine, credited, OWN_ACCOUNT, told } from './bank-lines.js';
import type { Client } from './client.js';
import { select } from './facts.js';
import { person } from './people.js';
import { FOREIGN, HASH, NEW, PAST, violation } from './violation.js';

type Change = Readonly<Record<string, unknown>>;

const of = (table: string, own: Change, where = 'true') => {
  return (rule: string, why: string, change: Change) =>
    violation(rule, table, where, why, { ...own, ...change });
};

const ANOTHER_LINE = randomUUID();

const account = of('collection_accounts', { id: NEW.id, account: 'X' });
const change = of('collection_account_changes', { id: NEW.id, account_id: NEW.txid, account: 'X' });
/** As if it had been confirmed before anybody could. */
const CONFIRMED = { confirmed_at: PAST, effective_at: PAST, rule: 'earlier' };
const reference = of('transfer_references', { txid: NEW.txid, reference: 'RF250000000000000001' });
const file = of('bank_files', { id: NEW.id, sha256: HASH });
const statement = of('bank_statements', { id: NEW.id, number: 99 });
const line = of('bank_lines', { id: NEW.id, key: 'other' });
const place = of('bank_line_places', { entry: 99 });
const part = of('bank_file_parts', {});
const allocation = of('bank_allocations', { payment_id: NEW.id });
const payout = of('bank_payout_lines', { direction: 'in' });
const back = of('bank_returns', { payment_id: NEW.id });
const undone = of('bank_returns', { created_at: PAST, undone_at: PAST });
const distinction = of('bank_line_distinctions', { line_id: ANOTHER_LINE });
const merge = of('bank_line_merges', { line_id: ANOTHER_LINE });
const note = of('bank_line_notes', { id: NEW.id });
const lineTry = of('bank_line_tries', { line_id: NEW.id });
const fileHand = of('bank_file_hands', { act: 'profile_written' });
const lineHand = of('bank_line_hands', { act: 'match_undone' });
const moneyHand = of('money_hands', { act: 'payer_added' });
const outgoingHand = of('outgoing_hands', { act: 'outgoing_brought' });
const alone = of('single_operator_approvals', { approved_at: PAST });
const fileTry = of('bank_file_tries', { id: NEW.id });
const profile = of('csv_profiles', { id: NEW.id, name: 'other' });

/** A copy of a row that the rule refuses; see `Violation`. */
export const BANK_VIOLATIONS = [
  account('collection_accounts_pk', 'an account again', { id: undefined }),
  account('collection_accounts_once', 'an IBAN again', { account: undefined }),
  account('collection_accounts_mode_check', 'a third mode', { mode: 'demo' }),
  account('collection_accounts_currency_check', 'a currency that is none', { currency: 'eur' }),
  account('collection_accounts_holder_check', 'of no name', { holder: '' }),
  account('collection_accounts_account_check', 'no account', { account: '' }),

  change('collection_account_changes_pk', 'a change again', { id: undefined }),
  change('collection_account_changes_once', 'the same of the account', { account_id: undefined }),
  change('collection_account_changes_add_once', 'the account again', { account: undefined }),
  change('collection_account_changes_kind_check', 'a kind that is none', { kind: 'edit' }),
  change('collection_account_changes_rule_check', 'by no rule', {
    ...CONFIRMED,
    confirmed_by: FOREIGN,
    rule: 'mine',
  }),
  change('collection_account_changes_confirmed_check', 'half confirmed', { rule: 'earlier' }),
  change('collection_account_changes_confirmed_check', 'by two, confirmed by nobody', {
    ...CONFIRMED,
    rule: 'two_people',
  }),
  change('collection_account_changes_withdrawn_check', 'by nobody', { withdrawn_at: PAST }),
  change('collection_account_changes_applied_check', 'unconfirmed', {
    applied_at: PAST,
    position: 1,
  }),
  change('collection_account_changes_position_check', 'nowhere', {
    ...CONFIRMED,
    applied_at: PAST,
  }),
  change('collection_account_changes_proposed_by_fk', 'by nobody', { proposed_by: FOREIGN }),
  change('collection_account_changes_confirmed_by_fk', 'by nobody', {
    ...CONFIRMED,
    rule: 'two_people',
    confirmed_by: FOREIGN,
  }),
  change('collection_account_changes_withdrawn_by_fk', 'by nobody', {
    withdrawn_at: PAST,
    withdrawn_by: FOREIGN,
  }),

  reference('transfer_references_pk', 'an order again', { txid: undefined }),
  reference('transfer_references_once', 'a reference again', { reference: undefined }),
  reference('transfer_references_order_fk', 'of no order', {}),
  reference('transfer_references_account_fk', 'to no account', { collection_account_id: FOREIGN }),
  reference('transfer_references_mode_check', 'a third mode', { mode: 'demo' }),
  reference('transfer_references_reference_check', 'of the other mode', { mode: 'live' }),

  file('bank_files_pk', 'a file again', { id: undefined }),
  file('bank_files_once', 'its bytes again', { sha256: undefined }),
  file('bank_files_mode_check', 'a third mode', { mode: 'demo' }),
  file('bank_files_source_check', 'from nowhere', { source: 'post' }),
  file('bank_files_sha256_check', 'half a hash', { sha256: '\\xab' }),
  file('bank_files_brought_by_fk', 'brought by nobody', { brought_by: FOREIGN }),

  part('bank_file_parts_pk', 'a part again', {}),
  part('bank_file_parts_file_fk', 'of no file', { file_id: NEW.id }),

  statement('bank_statements_pk', 'a statement again', { id: undefined }),
  statement('bank_statements_of_file', 'its number again', { number: undefined }),
  statement('bank_statements_mode_check', 'a third mode', { mode: 'demo' }),
  statement('bank_statements_booked_check', 'that ends before it begins', {
    booked_from: '2026-01-02',
    booked_until: '2026-01-01',
  }),
  statement('bank_statements_file_fk', 'of no file', { file_id: NEW.id }),

  line('bank_lines_pk', 'a line again', { id: undefined }),
  line('bank_lines_once', 'its key again', { key: undefined }),
  line('bank_lines_mode_check', 'a third mode', { mode: 'demo' }),
  line('bank_lines_direction_check', 'a direction that is none', { direction: 'up' }),
  line('bank_lines_status_check', 'a status that is none', { status: 'lost' }),
  line('bank_lines_state_check', 'a state that is none', { state: 'lost' }),
  line('bank_lines_amount_check', 'less than nothing', { amount: -1 }),

  line('bank_lines_unproven_check', 'a doubt that is none', { unproven: 'x' }),
  line('bank_lines_duplicate_of_fk', 'maybe no line', { duplicate_of: FOREIGN }),
  line('bank_lines_duplicate_check', 'maybe itself', { duplicate_of: NEW.id }),
  line('bank_lines_marked_distinct_check', 'told apart from nothing', {
    marked_distinct_by: FOREIGN,
  }),
  line('bank_lines_marked_distinct_by_fk', 'told apart by nobody', {
    duplicate_of: ANOTHER_LINE,
    marked_distinct_by: FOREIGN,
  }),

  place('bank_line_places_status_check', 'a status that is none', { status: 'lost' }),
  place('bank_line_places_pk', 'a place again', { entry: undefined }),
  place('bank_line_places_statement_fk', 'in no statement', { statement_id: NEW.id }),
  place('bank_line_places_line_fk', 'of no line', { line_id: NEW.id }),

  allocation('bank_allocations_pk', 'a payment again', { payment_id: undefined, amount: 1 }),
  allocation('bank_allocations_payment_fk', 'of no payment', { amount: 1 }),
  allocation('bank_allocations_line_fk', 'of no line', { line_id: NEW.id, undone_at: 'now' }),
  allocation('bank_allocations_matched_by_fk', 'by nobody', { matched_by: FOREIGN, amount: 1 }),
  allocation('bank_allocations_amount_check', 'of nothing', { amount: 0 }),

  payout('bank_payout_lines_pk', 'a payout again', { direction: undefined }),
  payout('bank_payout_lines_direction_check', 'a direction that is none', { direction: 'up' }),
  payout('bank_payout_lines_payout_fk', 'of no payout', { payout_id: NEW.id }),
  payout('bank_payout_lines_line_fk', 'of no line', { line_id: NEW.id }),

  back('bank_returns_pk', 'a return again', { payment_id: undefined }),
  back('bank_returns_line_fk', 'by no line', { line_id: NEW.id }),
  back('bank_returns_said_by_fk', 'said by nobody', { said_by: FOREIGN }),
  back('bank_returns_allocation_fk', 'of no payment', {}),
  back('bank_returns_amount_check', 'of nothing', { amount: 0 }),
  undone('bank_returns_undone_by_fk', 'undone by nobody who is there', { undone_by: FOREIGN }),
  undone('bank_returns_undone_check', 'undone by nobody', {}),

  distinction('bank_line_distinctions_pk', 'a pair again', { line_id: undefined }),
  distinction('bank_line_distinctions_line_fk', 'of no line', { line_id: NEW.id }),
  distinction('bank_line_distinctions_other_fk', 'from no line', { other_id: NEW.id }),
  distinction('bank_line_distinctions_user_fk', 'by nobody', { user_id: FOREIGN }),

  merge('bank_line_merges_pk', 'a line again', { line_id: undefined }),
  merge('bank_line_merges_line_fk', 'of no line', { line_id: NEW.id }),
  merge('bank_line_merges_other_fk', 'with no line', { other_id: NEW.id }),

  note('bank_line_notes_pk', 'a note again', { id: undefined }),
  note('bank_line_notes_line_fk', 'of no line', { line_id: NEW.id }),
  note('bank_line_notes_user_fk', 'of nobody', { user_id: FOREIGN }),
  note('bank_line_notes_text_check', 'that says nothing', { text: '' }),

  lineTry('bank_line_tries_pk', 'a line again', { line_id: undefined }),
  lineTry('bank_line_tries_tries_check', 'that nobody began', { tries: 0 }),

  fileTry('bank_file_tries_pk', 'a try again', { id: undefined }),
  fileTry('bank_file_tries_mode_check', 'a third mode', { mode: 'demo' }),

  profile('csv_profiles_pk', 'a profile again', { id: undefined }),
  profile('csv_profiles_once', 'a name again', { name: undefined }),
  profile('csv_profiles_name_check', 'of no name', { name: '' }),
  profile('csv_profiles_name_check', 'named like a file', { name: '/etc/house' }),
  profile('csv_profiles_created_by_fk', 'of nobody', { created_by: FOREIGN }),
  profile('csv_profiles_removed_by_fk', 'removed by nobody', {
    removed_by: FOREIGN,
    removed_at: PAST,
  }),
  profile('csv_profiles_removed_check', 'removed at no time', { removed_by: FOREIGN }),

  fileHand('bank_file_hands_pk', 'a hand again', { act: undefined }),
  fileHand('bank_file_hands_act_check', 'an act that is none', { act: 'seen' }),
  fileHand('bank_file_hands_file_fk', 'in no file', { file_id: NEW.id }),
  fileHand('bank_file_hands_user_fk', 'of nobody', { user_id: FOREIGN }),

  lineHand('bank_line_hands_pk', 'a hand again', { act: undefined }),
  lineHand('bank_line_hands_act_check', 'an act that is none', { act: 'seen' }),
  lineHand('bank_line_hands_line_fk', 'in no line', { line_id: NEW.id }),
  lineHand('bank_line_hands_user_fk', 'of nobody', { user_id: FOREIGN }),

  moneyHand('money_hands_pk', 'a hand again', { act: undefined }),
  moneyHand('money_hands_act_check', 'an act that is none', { act: 'seen' }),
  moneyHand('money_hands_order_fk', 'in no order', { txid: NEW.txid }),
  moneyHand('money_hands_user_fk', 'of nobody', { user_id: FOREIGN }),

  outgoingHand('outgoing_hands_pk', 'a hand again', { act: undefined }),
  outgoingHand('outgoing_hands_act_check', 'an act that is none', { act: 'seen' }),
  outgoingHand('outgoing_hands_user_fk', 'of nobody', { user_id: FOREIGN }),

  alone('single_operator_approvals_pk', 'an approval again', { approved_at: undefined }),
  alone('single_operator_approvals_payout_fk', 'of no payout', { payout_id: NEW.id }),
  alone('single_operator_approvals_user_fk', 'by nobody', { user_id: FOREIGN }),

  violation('merchants_transfers_allowed_by_fk', 'merchants', 'true', 'allowed by nobody', {
    id: NEW.id,
    transfers_allowed_by: FOREIGN,
  }),
  violation('merchants_transfer_days_check', 'merchants', 'true', 'a day', { transfer_days: 1 }),
];

/** One row of each. There is a payout. */
export async function makeBankRows(app: TestApp, shop: Client): Promise<void> {
  const order = await shop.order({ amount: 1_000 });
  await told(app, shop, order);
  const { payment } = await credited(app, shop, order, 1_000);
  const { id: lineId } = await bookedLine(app, { amount: 1, direction: 'out' });
  const { id: backId } = await bookedLine(app, { amount: 3, direction: 'out' });
  await bookedLine(app, { id: ANOTHER_LINE, amount: 2 });
  const { id: userId } = await person(app, 'operator');
  const id = uuidv7(app.clock.now().getTime());
  await select(
    app,
    `INSERT INTO bank_files (id, mode, sha256, name, size, format, source, warnings, created_at)
     VALUES ($1, 'test', sha256('x'), 'x', 1, 'MT940', 'cli', '[]', now())`,
    [id],
  );
  await select(
    app,
    `INSERT INTO bank_statements (id, mode, file_id, number, format, account, created_at)
     VALUES ($1, 'test', $1, 0, 'MT940', $2, now())`,
    [id, OWN_ACCOUNT],
  );
  await select(app, `INSERT INTO bank_file_parts VALUES ($1, 0, 'x')`, [id]);
  await select(
    app,
    `INSERT INTO bank_line_places (statement_id, entry, detail, line_id) VALUES ($1, 0, 0, $2)`,
    [id, lineId],
  );
  await select(
    app,
    `INSERT INTO bank_payout_lines (merchant_id, payout_id, direction, line_id, created_at)
     SELECT merchant_id, id, 'out', $1, now() FROM payouts LIMIT 1`,
    [lineId],
  );
  await select(
    app,
    `INSERT INTO bank_returns (line_id, merchant_id, payment_id, amount, created_at)
     VALUES ($1, $2, $3, 1, now())`,
    [backId, shop.merchantId, payment.id],
  );
  await select(
    app,
    `INSERT INTO bank_line_notes (id, line_id, user_id, text, created_at)
     VALUES ($1, $2, $3, 'x', now())`,
    [id, lineId, userId],
  );
  await select(
    app,
    `INSERT INTO bank_line_merges (line_id, other_id, places, payer_references, created_at)
     VALUES ($1, $2, '[]', '[]', now())`,
    [lineId, ANOTHER_LINE],
  );
  await select(app, `INSERT INTO bank_line_distinctions VALUES ($1, $2, $3, now())`, [
    lineId,
    ANOTHER_LINE,
    userId,
  ]);
  await select(app, `INSERT INTO bank_file_tries VALUES ($1, 'test', 'x', now())`, [id]);
  await select(app, 'INSERT INTO bank_line_tries VALUES ($1, 1, now())', [lineId]);
  await select(
    app,
    `INSERT INTO collection_account_changes (id, kind, account_id, currency, holder, account,
       proposed_by, proposed_from, proposed_at)
     VALUES ($1, 'add', $1, 'EUR', 'x', 'x', $2, 'x', now())`,
    [id, userId],
  );
  await select(
    app,
    `INSERT INTO csv_profiles (id, name, profile, created_by, created_at)
     VALUES ($1, 'x', '{}', $2, now())`,
    [id, userId],
  );
  await select(app, `INSERT INTO bank_file_hands VALUES ($1, $2, 'file_brought', now())`, [
    id,
    userId,
  ]);
  await select(app, `INSERT INTO bank_line_hands VALUES ($1, $2, 'payer_added', now())`, [
    lineId,
    userId,
  ]);
  await select(
    app,
    `INSERT INTO outgoing_hands VALUES ('test', 'x', $1, 'outgoing_decided', now(), now())`,
    [userId],
  );
  await select(app, `INSERT INTO money_hands VALUES ($1, $2, $3, 'matched', now())`, [
    shop.merchantId,
    order.txid,
    userId,
  ]);
  // As if there had been no other operator then.
  await app.get(Database).transaction(async (tx) => {
    await tx.query(`SET LOCAL session_replication_role = 'replica'`);
    await tx.query(
      `INSERT INTO single_operator_approvals
       SELECT merchant_id, id, $1, now(), now(), 24 FROM payouts LIMIT 1`,
      [userId],
    );
  });
}
