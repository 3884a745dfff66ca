import { beforeAll, describe, expect, it } from '@jest/globals';
import { BankAccountsService } from '../src/payouts/bank-accounts.service.js';
import { AccountsService } from '../src/people/accounts.service.js';
import { bookedLine, collectionAccount, credited } from './support/bank-lines.js';
import { select } from './support/facts.js';
import { Cashier, paidOrder, PAYS } from './support/payouts.js';
import { PASSWORD, person } from './support/people.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop({ env: PAYS });

const FOREIGN = 'NL91ABNA0417164300';
/** What the statements below name as `:name`. */
const ids: Record<string, string> = {};

beforeAll(async () => {
  await collectionAccount(app);
  const order = await shop.order({ amount: 10_000 });
  const { line } = await credited(app, shop, order, 10_000);
  const undone = await credited(app, shop, await shop.order({ amount: 200 }), 200);
  const cashier = await Cashier.of(app, shop);
  const added = await person(app, 'owner', shop.merchantId);
  const former = await person(app, 'viewer', shop.merchantId);
  await select(app, 'DELETE FROM memberships WHERE user_id = $1', [former.id]);
  await paidOrder(shop, 5_000);
  const other = { holder: 'Lampen', iban: FOREIGN };
  const unconfirmed = await app
    .get(BankAccountsService)
    .add(cashier.scope, other, cashier.owner.id);
  const payout = await cashier.request(1_000);
  await cashier.approve(payout);
  const returned = await bookedLine(app, { amount: 100, direction: 'out', kind: 'return' });
  // The audit log knows that an hour has passed.
  app.clock.advance(3_600_000);
  const support = await app
    .get(AccountsService)
    .open(
      { email: 'support@platform.example', name: 'Support', password: PASSWORD },
      { merchantId: null, role: 'support' },
    );
  Object.assign(ids, {
    account: cashier.account.id,
    added: unconfirmed!.id,
    operator: cashier.operator.id,
    support: support!.id,
    owner: added.id,
    former: former.id,
    order: order.txid,
    open: (await shop.order({ amount: 300 })).txid,
    line: line.id,
    returned: returned.id,
    undone: undone.line.id,
    payout: payout.id,
  });
  await select(app, 'UPDATE bank_allocations SET undone_at = now() WHERE line_id = $1', [
    undone.line.id,
  ]);
});

/** What the service's role gets as an answer; nothing stays changed. */
const answerTo = (sql: string): Promise<string> => {
  const statement = sql.replace(/:(\w+)/g, (_, name: string) => `'${ids[name]}'`);
  return select(app, `${statement} RETURNING 1`).then(
    (rows) => `accepted ${JSON.stringify(rows)}`,
    (error: { driverError: { constraint?: string; message: string } }) =>
      error.driverError.constraint ?? error.driverError.message,
  );
};

const KEPT = /^\w+ is append-only: (UPDATE|DELETE) refused$/;

describe('the database refuses to the service itself', () => {
  it.each([
    `UPDATE bank_accounts SET iban = 'BE68539007547034', holder = 'Mallory' WHERE id = :account`,
    `UPDATE bank_accounts SET holder = 'Mallory' WHERE id = :account`,
    `UPDATE bank_accounts SET mode = 'live' WHERE id = :account`,
    `UPDATE bank_accounts SET created_by = :owner WHERE id = :account`,
    `UPDATE bank_accounts SET created_at = '2020-01-01' WHERE id = :account`,
    `UPDATE bank_accounts SET confirmed_by = :owner WHERE id = :account`,
    `UPDATE bank_accounts SET confirmed_by = NULL, confirmed_at = NULL WHERE id = :account`,
    'DELETE FROM bank_accounts WHERE id = :account',
    `UPDATE users SET platform_role = 'operator' WHERE id = :support`,
    `UPDATE users SET platform_role = 'operator' WHERE id = :former`,
    `UPDATE users SET platform_role = 'support' WHERE id = :owner`,
    'UPDATE users SET platform_role = NULL WHERE id = :operator',
    `UPDATE users SET email = 'mallory@mail.example' WHERE id = :operator`,
    `UPDATE users SET created_at = '2020-01-01' WHERE id = :operator`,
    'DELETE FROM users WHERE id = :support',
    'UPDATE bank_allocations SET amount = amount - 1 WHERE line_id = :line',
    'UPDATE bank_allocations SET matched_by = :operator WHERE line_id = :line',
    'UPDATE bank_allocations SET line_id = :undone WHERE line_id = :line',
    'UPDATE bank_allocations SET undone_by_line_id = :returned WHERE line_id = :line',
    `UPDATE bank_allocations SET undone_at = '2020-01-01' WHERE line_id = :undone`,
    'UPDATE bank_allocations SET undone_by_line_id = :returned WHERE line_id = :undone',
    'DELETE FROM bank_allocations WHERE line_id = :line',
    'UPDATE orders SET amount = 1, amount_received = 1 WHERE txid = :order',
    'UPDATE orders SET amount = amount + 1 WHERE txid = :order',
    `UPDATE orders SET currency = 'USD' WHERE txid = :order`,
    `UPDATE orders SET mode = 'live' WHERE txid = :open`,
    'UPDATE payouts SET amount = amount + 1 WHERE id = :payout',
    `UPDATE payouts SET currency = 'CHF' WHERE id = :payout`,
    `UPDATE payouts SET iban = 'BE68539007547034' WHERE id = :payout`,
    `UPDATE payouts SET content_hash = sha256('') WHERE id = :payout`,
    `UPDATE payouts SET approved_hash = sha256('') WHERE id = :payout`,
    'DELETE FROM payouts WHERE id = :payout',
    'UPDATE payout_lines SET amount = amount + 1 WHERE payout_id = :payout',
    `UPDATE bank_allocations SET payer_account = 'BE68539007547034' WHERE line_id = :line`,
    'UPDATE balances SET amount = amount + 1',
    'DELETE FROM balances',
  ])('%s', async (sql) => {
    expect(await answerTo(sql)).toMatch(KEPT);
  });

  it.each([
    ['payout_lines_of_approved', 'DELETE FROM payout_lines WHERE payout_id = :payout'],
    [
      'payout_lines_of_approved',
      `INSERT INTO payout_lines SELECT l.merchant_id, l.payout_id, l.number + 9, l.kind, t.id, t.txid, 1
       FROM payout_lines l JOIN transfers t ON t.id <> l.transfer_id AND NOT t.covered
       WHERE l.payout_id = :payout LIMIT 1`,
    ],
    ['bank_lines_facts', 'UPDATE bank_lines SET amount = amount + 1 WHERE id = :line'],
    ['bank_lines_facts', `UPDATE bank_lines SET currency = 'CHF' WHERE id = :line`],
    [
      'bank_lines_facts',
      `UPDATE bank_lines SET counterparty_account = 'BE68539007547034' WHERE id = :line`,
    ],
    ['payouts_moves', `UPDATE payouts SET status = 'draft' WHERE id = :payout`],
    ['bank_lines_facts', `UPDATE bank_lines SET direction = 'out' WHERE id = :line`],
    ['bank_lines_facts', `UPDATE bank_lines SET account = 'X' WHERE id = :line`],
    ['bank_lines_facts', `UPDATE bank_lines SET mode = 'live' WHERE id = :line`],
    ['bank_lines_facts', `UPDATE bank_lines SET created_at = '2020-01-01' WHERE id = :line`],
    [
      'bank_lines_facts',
      `UPDATE bank_lines SET has_paid = false, state = 'ignored' WHERE id = :line`,
    ],
    ['bank_lines_facts', `UPDATE bank_lines SET kind = 'payment' WHERE id = :returned`],
    ['operating_rules_time', `UPDATE operating_rules SET single_operator = true`],
    [
      'operating_rules_time',
      `UPDATE operating_rules SET single_operator = true, changed_at = '2020-01-01'`,
    ],
    [
      'bank_accounts_confirmed_time',
      `UPDATE bank_accounts SET confirmed_by = :owner, confirmed_at = '2020-01-01' WHERE id = :added`,
    ],
    ['users_disabled_time', `UPDATE users SET disabled_at = '2020-01-01' WHERE id = :operator`],
    ['users_disabled_time', 'UPDATE users SET disabled_at = created_at WHERE id = :operator'],
  ])('by %s: %s', async (rule, sql) => {
    expect(await answerTo(sql)).toBe(rule);
  });
});

describe('the database takes from the service', () => {
  it.each([
    'UPDATE orders SET amount = amount + 1 WHERE txid = :open',
    'UPDATE operating_rules SET waiting_hours = 48, changed_at = now()',
    'UPDATE users SET disabled_at = now() WHERE id = :support',
    'UPDATE bank_accounts SET confirmed_by = :owner, confirmed_at = now() WHERE id = :added',
  ])('%s', async (sql) => {
    expect(await answerTo(sql)).toMatch(/^accepted/);
  });
});
