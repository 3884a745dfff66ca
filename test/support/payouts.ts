import { DataSource } from 'typeorm';
import { Database } from '../../src/database/database.js';
import { FeeRateRepository } from '../../src/database/ledger/fee-rate.repository.js';
import { LedgerRepository } from '../../src/database/ledger/ledger.repository.js';
import type { Mode } from '../../src/database/merchants/api-key.entity.js';
import type { BankAccount } from '../../src/database/payouts/bank-accounts/bank-account.entity.js';
import type { Payout } from '../../src/database/payouts/payout.entity.js';
import { LedgerService } from '../../src/ledger/ledger.service.js';
import { Sweeper } from '../../src/payments/sweeper.js';
import { ApprovalsService } from '../../src/payouts/approvals.service.js';
import { BankAccountsService, WAIT_MS } from '../../src/payouts/bank-accounts.service.js';
import { PayoutFilesService } from '../../src/payouts/payout-files.service.js';
import { PayoutsService } from '../../src/payouts/payouts.service.js';
import type { TestApp } from './app.js';
import type { Client, OrderJson } from './client.js';
import { select, withoutTriggers } from './facts.js';
import { person, type Person } from './people.js';

/** Settings of a service that may pay out. */
export const PAYS = { PAYOUT_NAME: 'Platform Ltd', PAYOUT_IBAN: 'DE89370400440532013000' };

/** Accounts of several countries that are valid. */
export const IBANS = [
  'FR1420041010050500013M02606',
  'NL91ABNA0417164300',
  'BE68539007547034',
  'ES9121000418450200051332',
] as const;

/** An order that a payer has paid at the sandbox bank; more or less of it when the test says so. */
/** Applies what providers have reported; an operator looks at what contradicts the orders. */
export async function dealWithReports(app: TestApp): Promise<void> {
  await select(
    app,
    `UPDATE provider_events SET next_attempt_at = '2000-01-01' WHERE applied_at IS NULL`,
  );
  await app.get(Sweeper).run();
  await select(app, `UPDATE provider_events SET handled_at = now() WHERE result = 'mismatch'`);
}

export async function paidOrder(
  shop: Client,
  amount: number,
  { received = amount, ...order }: Record<string, unknown> & { readonly received?: number } = {},
): Promise<OrderJson> {
  const { body } = await shop.create({ amount, ...order });
  const payment = { outcome: 'paid', amount: received };
  const path = `/api/test-helpers/order/${body.txid}/payment`;
  const paid = await shop.call<OrderJson>('POST', path, payment);
  if (paid.status !== 200) throw new Error(`not paid: ${paid.status} ${paid.text}`);
  return paid.body;
}

/** From now on paid orders of the merchant in euros cost so much. */
export async function chargeFee(
  app: TestApp,
  { merchantId }: Pick<Client, 'merchantId'>,
  partsPerMillion: number,
  fixed: number,
): Promise<void> {
  const rate = { merchantId, provider: 'sandbox', currency: 'EUR', partsPerMillion, fixed };
  const updatedAt = app.clock.now();
  await app
    .get(Database)
    .transaction((tx) => app.get(FeeRateRepository).save(tx, { ...rate, updatedAt }));
}

/** What every account of the merchant comes to, such as `{ EUR: { available: 970, fees: 30 } }`. */
export async function balances(
  app: TestApp,
  { merchantId }: Pick<Client, 'merchantId'>,
  mode: Mode = 'test',
): Promise<Record<string, Record<string, number>>> {
  const all: Record<string, Record<string, number>> = {};
  for (const { currency, account, amount } of await app
    .get(LedgerRepository)
    .balances({ merchantId, mode })) {
    if (amount !== 0) (all[currency] ??= {})[account] = amount;
  }
  return all;
}

/** Every mail about it has left. */
export async function noticed(
  app: TestApp,
  bankAccountId: string,
  at = app.clock.now(),
): Promise<void> {
  const sql =
    'UPDATE bank_account_notices SET sent_at = $2, next_attempt_at = NULL WHERE bank_account_id = $1';
  await app.get(DataSource).query(sql, [bankAccountId, at]);
}

/** It was added, confirmed and told of a day ago. */
export async function makeUsable(app: TestApp, bankAccountId: string): Promise<void> {
  const ago = new Date(app.clock.now().getTime() - WAIT_MS);
  const sql = 'UPDATE bank_accounts SET created_at = $2, confirmed_at = $2 WHERE id = $1';
  await withoutTriggers(app, sql, [bankAccountId, ago]);
  await noticed(app, bankAccountId, ago);
}

/** One merchant, somebody who asks for payouts, and two who approve them. */
export class Cashier {
  constructor(
    readonly app: TestApp,
    readonly shop: Client,
    readonly owner: Person,
    readonly operator: Person,
    readonly account: BankAccount,
    readonly mode: Mode = 'test',
  ) {}

  /** The bank account has waited and is confirmed. */
  static async of(
    app: TestApp,
    shop: Client,
    iban: string = IBANS[0],
    mode: Mode = 'test',
  ): Promise<Cashier> {
    const owner = await person(app, 'owner', shop.merchantId);
    const operator = await person(app, 'operator');
    const scope = { merchantId: shop.merchantId, mode };
    const accounts = app.get(BankAccountsService);
    const account = await accounts.add(scope, { holder: 'Test Shop', iban }, owner.id);
    await accounts.confirm(scope, account!.id, owner.id);
    await makeUsable(app, account!.id);
    return new Cashier(app, shop, owner, operator, account!, mode);
  }

  /** The same people and account, at another process of the service. */
  at(app: TestApp): Cashier {
    const { owner, operator, account, mode } = this;
    return new Cashier(app, this.shop.at(app.url), owner, operator, account, mode);
  }

  get scope() {
    return { merchantId: this.shop.merchantId, mode: this.mode };
  }

  request(amount: number, currency = 'EUR'): Promise<Payout> {
    const wish = { amount, bankAccountId: this.account.id };
    return this.app.get(PayoutsService).request({ ...this.scope, currency }, wish, this.owner.id);
  }

  /** Approves it as the operator sees it now. */
  async approve({ id }: Pick<Payout, 'id'>, by: Person = this.operator): Promise<Payout> {
    const sql = 'SELECT content_hash AS "contentHash" FROM payouts WHERE id = $1';
    const [seen] = await select<{ contentHash: Buffer | null }>(this.app, sql, [id]);
    return this.app.get(ApprovalsService).approve(this.scope, id, {
      userId: by.id,
      secondFactorAt: this.app.clock.now(),
      contentHash: seen?.contentHash ?? Buffer.alloc(32),
    });
  }

  export(currency = 'EUR') {
    const request = { mode: 'test', currency, format: 'pain.001.001.09' } as const;
    return this.app.get(PayoutFilesService).export(request, this.operator.id);
  }

  /** A payout that has come as far as the bank. */
  async exported(amount: number): Promise<Payout> {
    const { id } = await this.approve(await this.request(amount));
    await this.export();
    return this.app.get(PayoutsService).find(this.scope, id);
  }

  /** The bank sends a payout back. */
  returned(payout: Payout, reason: string): Promise<Payout> {
    return this.app.get(PayoutFilesService).ended(payout, 'returned', reason, this.owner.id);
  }

  /** Takes a transfer of a payment in euros back. */
  async takeBack(transferId: string, note: string): Promise<void> {
    const transfer = { ...this.scope, id: transferId, currency: 'EUR' };
    await this.app
      .get(Database)
      .transaction((tx) => this.app.get(LedgerService).reverse(tx, transfer, note));
  }

  /** Approved by somebody who has no hand in anything, once all returns are explained. */
  async approvedByAnother(amount: number): Promise<Payout> {
    await dealWithReports(this.app);
    const sql = `UPDATE bank_lines SET state = 'ignored', reason = 'Explained'
      WHERE direction = 'out' AND state IN ('suggested', 'unmatched') AND looked_at IS NOT NULL`;
    await this.app.get(DataSource).query(sql);
    return this.approve(await this.request(amount), await person(this.app, 'operator'));
  }

  /** A payout that has arrived. */
  async paid(amount: number): Promise<Payout> {
    const payout = await this.exported(amount);
    const files = this.app.get(PayoutFilesService);
    await files.submitted(payout.fileId!);
    return files.ended(payout, 'paid', null, this.owner.id);
  }
}
