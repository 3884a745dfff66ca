import { randomBytes, randomUUID } from 'node:crypto';
import { type NewCollectionAccount } from '../../src/collection-accounts/account-fields.js';
import { CollectionAccountsService } from '../../src/collection-accounts/collection-accounts.service.js';
import type { CollectionAccount } from '../../src/database/bank/collection-accounts/collection-account.entity.js';
import type { TransferForm } from '../../src/database/payments/payment.entity.js';
import type { TestApp } from './app.js';
import type { Client, OrderJson } from './client.js';
import { select } from './facts.js';
import { liveAccount } from './live-accounts.js';

/** Where payers of the tests are told to transfer the money to. */
export const TRANSFER_ACCOUNT: NewCollectionAccount = {
  mode: 'test',
  currency: 'EUR',
  holder: 'Platform GmbH',
  account: 'DE89370400440532013000',
  bic: 'COBADEFFXXX',
  bankName: 'Commerzbank',
};

/** From now on payers can choose a transfer to this account. */
export async function offerTransfers(
  app: TestApp,
  account: Partial<NewCollectionAccount> = {},
): Promise<CollectionAccount> {
  const wanted = { ...TRANSFER_ACCOUNT, ...account };
  if (wanted.mode === 'live') return liveAccount(app, wanted);
  const added = await app.get(CollectionAccountsService).add(wanted);
  if (!added) throw new Error('the account is there already');
  return added;
}

/** An account on which live money comes in, also where it was there before. @returns its id */
export async function collectLive(app: TestApp, account: string): Promise<string> {
  const sql = `SELECT id FROM collection_accounts WHERE mode = 'live' AND account = $1`;
  const [known] = await select<{ id: string }>(app, sql, [account]);
  return known?.id ?? (await offerTransfers(app, { mode: 'live', account })).id;
}

/** The payer chooses a way to pay on the payment page, at whatever process serves it. */
export async function choose(
  order: Pick<OrderJson, 'paymentPageUrl'>,
  method: string,
  due?: number,
): Promise<Response> {
  const form = { method, ...(due === undefined ? {} : { due: String(due) }) };
  const response = await fetch(`${order.paymentPageUrl}/start`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(form),
  });
  await response.text();
  return response;
}

/** An order whose payer has chosen to transfer the money. */
export async function awaitingTransfer(
  shop: Client,
  overrides: Record<string, unknown> = {},
): Promise<OrderJson> {
  const order = await shop.order(overrides);
  await choose(order, 'bank_transfer');
  const { body } = await shop.read(order.txid);
  if (body.statusReason !== 'awaiting_transfer') throw new Error(`no transfer: ${body.status}`);
  return body;
}

/**
 * The payer of an open order chooses to transfer. Afterwards nobody else can: the pages of other orders look as they do
 * without an account.
 */
export async function awaitTransfer(
  app: TestApp,
  order: OrderJson,
  account: Partial<NewCollectionAccount> = {},
): Promise<TransferForm> {
  const { id } = await offerTransfers(app, {
    currency: String(order['currency']),
    holder: 'Nordlicht Payments GmbH',
    account: 'DE02120300000000202051',
    bic: 'BYLADEM1001',
    bankName: 'Deutsche Kreditbank Berlin',
    ...account,
  });
  await app.get(CollectionAccountsService).prefer(id);
  await choose(order, 'bank_transfer');
  await app.get(CollectionAccountsService).disable(id);
  const sql = `SELECT transfer FROM payments WHERE txid = $1 AND status = 'pending'`;
  const [payment] = await select<{ transfer: TransferForm }>(app, sql, [order.txid]);
  if (!payment) throw new Error('no transfer was chosen');
  return payment.transfer;
}

/** A statement of an account that has all bookings of some days, as an import stores it, without its lines. */
export async function statementOf(
  app: TestApp,
  { from, until }: { readonly from: string; readonly until: string },
  account = TRANSFER_ACCOUNT.account,
): Promise<void> {
  const now = app.clock.now();
  const [file, statement] = [randomUUID(), randomUUID()];
  await select(
    app,
    `INSERT INTO bank_files (id, mode, sha256, name, size, format, source, warnings, created_at)
     VALUES ($1, 'test', $2, 'statement.xml', 1, 'camt.053', 'cli', '[]', $3)`,
    [file, randomBytes(32), now],
  );
  await select(
    app,
    `INSERT INTO bank_statements (id, mode, file_id, number, format, account, currency, covers_from,
       covers_until, created_at)
     VALUES ($1, 'test', $2, 0, 'camt.053', $3, 'EUR', $4, $5, $6)`,
    [statement, file, account, from, until, now],
  );
}
