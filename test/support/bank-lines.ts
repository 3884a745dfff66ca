import { expect } from '@jest/globals';
import { namedReferenceOf } from '../../src/bank/recognition/same-booking.js';
import { CollectionAccountsService } from '../../src/collection-accounts/collection-accounts.service.js';
import { newTransferReference } from '../../src/common/money/creditor-reference.js';
import { uuidv7 } from '../../src/common/ids.js';
import { BankAllocation } from '../../src/database/bank/matching/bank-allocation.entity.js';
import type { AllocationKey } from '../../src/database/bank/matching/bank-allocation.repository.js';
import { BankLine } from '../../src/database/bank/lines/bank-line.entity.js';
import type { Mode } from '../../src/database/merchants/api-key.entity.js';
import { Database } from '../../src/database/database.js';
import type { Credit } from '../../src/payments/credit.js';
import { CreditsService } from '../../src/payments/credits.service.js';
import type { TestApp } from './app.js';
import type { Client, OrderJson } from './client.js';
import { select } from './facts.js';
import { liveAccount } from './live-accounts.js';

/** Where the money of the tests comes in. */
export const OWN_ACCOUNT = 'DE89370400440532013000';

const OWN = {
  holder: 'Platform Ltd',
  account: OWN_ACCOUNT,
  bic: null,
  bankName: null,
} as const;

const NEW_LINE = {
  mode: 'test',
  account: OWN_ACCOUNT,
  ordinal: 0,
  currency: 'EUR',
  direction: 'in',
  status: 'booked',
  kind: 'payment',
  reversal: false,
  returned: false,
  references: [],
  identifiers: {},
  state: 'unmatched',
  formats: ['camt.052', 'camt.053', 'camt.054', 'MT940'],
  counterpartyName: 'Paula Payer',
  counterpartyAccount: 'NL91ABNA0417164300',
  counterpartyAccountType: 'iban',
} as const;

/** What a test says of a line. */
export type NewLine = Omit<Partial<BankLine>, 'amount'> & { readonly amount: number };

/** A line that a bank has booked, as an import stores it: nobody has looked at it. */
export async function bookedLine(app: TestApp, line: NewLine): Promise<BankLine> {
  const id = uuidv7(app.clock.now().getTime());
  const createdAt = app.clock.now();
  const bookedOn = createdAt.toISOString().slice(0, 10);
  const namedReference = namedIn(line);
  const row = { ...NEW_LINE, id, key: id, bookedOn, createdAt, namedReference, ...line };
  if (row.account === OWN_ACCOUNT && row.currency) await ownAccount(app, row.mode, row.currency);
  await app.get(Database).entities((manager) => manager.insert(BankLine, row as never), 'write');
  if (row.direction === 'in' && row.kind !== 'payment') await balancedStatement(app, row);
  return (await lineOf(app, id))!;
}

/** Sets the debits of earlier tests aside, which may otherwise be those of a return with their amount. */
export async function forgetDebits(app: TestApp): Promise<void> {
  await select(
    app,
    `UPDATE bank_lines SET state = 'superseded', reason = 'Of an earlier test'
     WHERE direction = 'out' AND state <> 'superseded'
       AND id NOT IN (SELECT line_id FROM bank_payout_lines UNION SELECT line_id FROM bank_returns)`,
  );
}

/** Only a return in a statement with balances returns a payout. */
async function balancedStatement(
  app: TestApp,
  {
    id,
    mode,
    account,
    createdAt,
    bookedOn,
  }: Pick<BankLine, 'id' | 'mode' | 'account' | 'createdAt' | 'bookedOn'>,
): Promise<void> {
  const file = uuidv7(createdAt.getTime());
  await select(
    app,
    `INSERT INTO bank_files (id, mode, sha256, name, size, format, source, warnings, created_at)
     VALUES ($1::uuid, $2, sha256(convert_to($1::uuid::text, 'UTF8')), 'a', 1, 'camt.053', 'cli', '[]', $3)`,
    [file, mode, createdAt],
  );
  await select(
    app,
    `INSERT INTO bank_statements (id, mode, file_id, number, format, account, currency, booked_from, booked_until,
       balanced, created_at) VALUES ($1, $2, $1, 0, 'camt.053', $3, 'EUR', $4, $4, true, $5)`,
    [file, mode, account, bookedOn, createdAt],
  );
  await select(
    app,
    `INSERT INTO bank_line_places (statement_id, entry, detail, line_id, status) VALUES ($1, 0, 0, $2, 'booked')`,
    [file, id],
  );
}

/** As an import finds it. */
const namedIn = (line: NewLine): string | null =>
  namedReferenceOf({
    status: 'booked',
    bookedOn: null,
    valuedOn: null,
    counterparty: { name: null, account: null, accountType: null },
    references: line.references ?? [],
    endToEndId: line.endToEndId ?? null,
    text: line.text ?? null,
    identifiers: {},
  });

export async function lineOf(app: TestApp, id: string): Promise<BankLine | null> {
  return app.get(Database).entities((manager) => manager.findOneBy(BankLine, { id }));
}

/** What a payment by transfer was paid with. */
export async function allocationOf(
  app: TestApp,
  { merchantId, paymentId }: AllocationKey,
): Promise<BankAllocation | null> {
  return app
    .get(Database)
    .entities((manager) => manager.findOneBy(BankAllocation, { merchantId, paymentId }));
}

/** What a line paid for, the first first; what was undone, too. */
export async function allocationsOf(
  app: TestApp,
  { id: lineId }: Pick<BankLine, 'id'>,
): Promise<BankAllocation[]> {
  const order = { createdAt: 'ASC', paymentId: 'ASC' } as const;
  return app
    .get(Database)
    .entities((manager) => manager.find(BankAllocation, { where: { lineId }, order }));
}

/** Where the money of tests comes in, for a currency: only such money pays. */
async function ownAccount(app: TestApp, mode: Mode, currency: string): Promise<void> {
  const account = { mode, currency, ...OWN };
  const found = await app.get(CollectionAccountsService).list(mode);
  if (found.some((each) => each.account === OWN_ACCOUNT && each.currency === currency)) return;
  await (mode === 'live'
    ? liveAccount(app, account)
    : app.get(CollectionAccountsService).add(account));
}

/** An account in euros, on which money comes in. @returns its id */
export async function collectionAccount(app: TestApp, account = OWN_ACCOUNT): Promise<string> {
  const known = await select<{ id: string }>(
    app,
    `SELECT id FROM collection_accounts WHERE account = $1 AND mode = 'test'`,
    [account],
  );
  if (known[0]) return known[0].id;
  const id = uuidv7(app.clock.now().getTime());
  await select(
    app,
    `INSERT INTO collection_accounts (id, mode, currency, holder, account, position, created_at)
     VALUES ($1, 'test', 'EUR', 'Platform Ltd', $2, 1, $3)`,
    [id, account, app.clock.now()],
  );
  return id;
}

/** The order's payer was told where to transfer the money. @returns the reference */
export async function told(
  app: TestApp,
  { merchantId }: Client,
  { txid }: Pick<OrderJson, 'txid'>,
  reference = newTransferReference('test'),
): Promise<string> {
  await select(
    app,
    `INSERT INTO transfer_references (merchant_id, txid, mode, reference, collection_account_id,
       created_at) VALUES ($1, $2, 'test', $3, $4, $5)`,
    [merchantId, txid, reference, await collectionAccount(app), app.clock.now()],
  );
  return reference;
}

/** The order is among those whose transfer is waited for, as after a payer's choice. */
export const awaited = (app: TestApp, { txid }: Pick<OrderJson, 'txid'>) =>
  select(app, `UPDATE transfer_references SET waits_until = '2099-01-01' WHERE txid = $1`, [txid]);

/** All that a line has brought, for an order that rules or people know. */
export const creditOf = (line: BankLine): Credit => ({
  lineId: line.id,
  amount: line.amount!,
  currency: 'EUR',
  payer: { accountNumber: 'NL91ABNA0417164300', accountType: 'iban', accountName: 'Paula Payer' },
  bookedOn: line.bookedOn!,
  matchedBy: null,
  evidence: { rule: 'test' },
});

/** Pays an order with a line of its own, past the rules. */
export async function credited(
  app: TestApp,
  { merchantId }: Client,
  { txid }: Pick<OrderJson, 'txid'>,
  amount: number,
  changes: Partial<Credit> = {},
  mode: Mode = 'test',
) {
  const { payer } = changes;
  const from = payer && {
    counterpartyAccount: payer.accountNumber,
    counterpartyAccountType: payer.accountType,
  };
  const line = await bookedLine(app, { amount, mode, ...from });
  const credit = { ...creditOf(line), ...changes };
  const now = app.clock.now();
  const payment = await app
    .get(Database)
    .transaction((tx) =>
      app.get(CreditsService).credit(tx, { merchantId, mode, txid }, credit, now),
    );
  expect(payment).toMatchObject({ provider: 'bank_transfer', status: 'succeeded' });
  await select(app, `UPDATE bank_lines SET state = 'matched', looked_at = $2 WHERE id = $1`, [
    line.id,
    now,
  ]);
  return { line, payment };
}
