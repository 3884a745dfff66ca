import { uuidv7 } from '../../src/common/ids.js';
import type { TestApp } from './app.js';
import { bookedLine, credited, OWN_ACCOUNT, told } from './bank-lines.js';
import type { Client } from './client.js';
import { select } from './facts.js';
import { person } from './people.js';
import { FOREIGN, HASH, NEW, violation } from './violation.js';

type Change = Readonly<Record<string, unknown>>;

const of = (table: string, own: Change, where = 'true') => {
  return (rule: string, why: string, change: Change) =>
    violation(rule, table, where, why, { ...own, ...change });
};

const account = of('collection_accounts', { id: NEW.id, account: 'X' });
const reference = of('transfer_references', { txid: NEW.txid, reference: 'RF250000000000000001' });
const file = of('bank_files', { id: NEW.id, sha256: HASH });
const statement = of('bank_statements', { id: NEW.id, number: 99 });
const line = of('bank_lines', { id: NEW.id, key: 'other' });
const place = of('bank_line_places', { entry: 99 });
const part = of('bank_file_parts', {});
const allocation = of('bank_allocations', { payment_id: NEW.id });
const payout = of('bank_payout_lines', { direction: 'in' });
const back = of('bank_returns', { payment_id: NEW.id });
const note = of('bank_line_notes', { id: NEW.id });
const profile = of('csv_profiles', { id: NEW.id, name: 'other' });

/** A copy of a row that the rule refuses; see `Violation`. */
export const BANK_VIOLATIONS = [
  account('collection_accounts_pk', 'an account again', { id: undefined }),
  account('collection_accounts_once', 'an IBAN again', { account: undefined }),
  account('collection_accounts_mode_check', 'a third mode', { mode: 'demo' }),
  account('collection_accounts_currency_check', 'a currency that is none', { currency: 'eur' }),
  account('collection_accounts_holder_check', 'of no name', { holder: '' }),
  account('collection_accounts_account_check', 'no account', { account: '' }),

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
  statement('bank_statements_file_fk', 'of no file', { file_id: NEW.id }),

  line('bank_lines_pk', 'a line again', { id: undefined }),
  line('bank_lines_once', 'its key again', { key: undefined }),
  line('bank_lines_mode_check', 'a third mode', { mode: 'demo' }),
  line('bank_lines_direction_check', 'a direction that is none', { direction: 'up' }),
  line('bank_lines_status_check', 'a status that is none', { status: 'lost' }),
  line('bank_lines_state_check', 'a state that is none', { state: 'lost' }),
  line('bank_lines_amount_check', 'less than nothing', { amount: -1 }),

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

  note('bank_line_notes_pk', 'a note again', { id: undefined }),
  note('bank_line_notes_line_fk', 'of no line', { line_id: NEW.id }),
  note('bank_line_notes_user_fk', 'of nobody', { user_id: FOREIGN }),
  note('bank_line_notes_text_check', 'that says nothing', { text: '' }),

  profile('csv_profiles_pk', 'a profile again', { id: undefined }),
  profile('csv_profiles_once', 'a name again', { name: undefined }),
  profile('csv_profiles_name_check', 'of no name', { name: '' }),
  profile('csv_profiles_created_by_fk', 'of nobody', { created_by: FOREIGN }),

  violation('merchants_transfer_days_check', 'merchants', 'true', 'a day', { transfer_days: 1 }),
];

/** One row of each. There is a payout. */
export async function makeBankRows(app: TestApp, shop: Client): Promise<void> {
  const order = await shop.order({ amount: 1_000 });
  await told(app, shop, order);
  const { payment } = await credited(app, shop, order, 1_000);
  const { id: lineId } = await bookedLine(app, { amount: 1, direction: 'out' });
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
    [lineId, shop.merchantId, payment.id],
  );
  await select(
    app,
    `INSERT INTO bank_line_notes (id, line_id, user_id, text, created_at)
     VALUES ($1, $2, $3, 'x', now())`,
    [id, lineId, userId],
  );
  await select(
    app,
    `INSERT INTO csv_profiles (id, name, profile, created_by, created_at)
     VALUES ($1, 'x', '{}', $2, now())`,
    [id, userId],
  );
}
