import type { EntityManager } from 'typeorm';
import { Database } from '../../src/database/database.js';
import { FeeRateRepository } from '../../src/database/ledger/fee-rate.repository.js';
import { LedgerRepository } from '../../src/database/ledger/ledger.repository.js';
import type { Transfer } from '../../src/database/ledger/transfer.entity.js';
import type { Payout } from '../../src/database/payouts/payout.entity.js';
import { PayoutRepository } from '../../src/database/payouts/payout.repository.js';
import { PaymentsService } from '../../src/payments/payments.service.js';
import { ProviderCallbacksService } from '../../src/payments/provider-callbacks.service.js';
import { Sweeper } from '../../src/payments/sweeper.js';
import { ApprovalsService } from '../../src/payouts/approvals.service.js';
import { BankAccountsService, WAIT_MS } from '../../src/payouts/bank-accounts.service.js';
import { PayoutFilesService } from '../../src/payouts/payout-files.service.js';
import { PayoutsService } from '../../src/payouts/payouts.service.js';
import { UsersService } from '../../src/people/users.service.js';
import type { SandboxMessage } from '../../src/providers/sandbox/sandbox-message.js';
import { TestApp } from './app.js';
import { Bank, signed } from './bank.js';
import type { Client } from './client.js';
import type { TestDatabase } from './database.js';
import { select } from './facts.js';
import { type Outcome, outcomeOf } from './outcome.js';
import type { ModelFee } from './payout-model-fee.js';
import type { ModelTransfer, RaceBalance as ModelBalance } from './payout-model.js';
import { IBANS, noticed, PAYS, dealWithReports } from './payouts.js';
import { person, type Person } from './people.js';
import { sentBack, takenBack } from './refunds.js';

const HOUR_MS = 3_600_000;
const ENVIRONMENT = { ...PAYS, LOG_LEVEL: 'warn' };
const SANDBOX = { provider: 'sandbox', method: 'sandbox' };

interface Merchant {
  readonly shop: Client;
  readonly bank: Bank;
  readonly accountId: string;
}

interface RealOrder {
  readonly merchant: number;
  readonly txid: string;
  readonly payments: string[];
}

/** The service, in which everything happens for real. Places of things are those of the model. */
export class PayoutWorld {
  merchants: Merchant[] = [];
  readonly orders: RealOrder[] = [];
  readonly payouts: Payout[] = [];
  readonly files: string[] = [];
  /** What HTTP last said of each order. */
  readonly seen: string[] = [];

  private constructor(
    private readonly database: TestDatabase,
    public app: TestApp,
    private readonly owner: Person,
    private readonly operator: Person,
  ) {}

  static async open(database: TestDatabase): Promise<PayoutWorld> {
    const app = await TestApp.start({ database, env: ENVIRONMENT });
    return new PayoutWorld(
      database,
      app,
      await person(app, 'owner'),
      await person(app, 'operator'),
    );
  }

  /** Other merchants, and nothing of theirs yet. */
  async begin(merchants: number): Promise<void> {
    for (const list of [this.orders, this.payouts, this.files, this.seen]) list.length = 0;
    const left = await select<Pick<Payout, 'merchantId' | 'mode' | 'id'>>(
      this.app,
      `SELECT merchant_id AS "merchantId", mode, id FROM payouts WHERE status = 'approved' ORDER BY id`,
    );
    const approvals = this.app.get(ApprovalsService);
    for (const payout of left) await approvals.reject(payout, payout.id, 'Left over');
    this.merchants = [];
    for (let n = 0; n < merchants; n++) {
      const shop = await this.app.merchant();
      const bank = await Bank.of(this.app, shop);
      this.merchants.push({ shop, bank, accountId: await this.openAccount(shop) });
    }
    this.app.clock.advance(WAIT_MS);
  }

  /** The process ends, and another goes on with what stands in the database. */
  async restart(): Promise<Outcome> {
    const now = this.app.clock.now();
    await this.app.stop();
    this.app = await TestApp.start({ database: this.database, env: ENVIRONMENT });
    this.app.clock.set(now);
    this.merchants = this.merchants.map(({ shop, ...rest }) => ({
      shop: shop.at(this.app.url),
      ...rest,
    }));
    return 'ok';
  }

  async close(): Promise<void> {
    await this.app.stop();
    await this.database.drop();
  }

  shopOf({ merchant }: { readonly merchant: number }): Client {
    return this.merchants[merchant]!.shop;
  }

  async create(merchant: number, currency: string, amount: number): Promise<Outcome> {
    const { txid } = await this.shopOf({ merchant }).order({ currency, amount });
    this.orders.push({ merchant, txid, payments: [] });
    return 'ok';
  }

  start(order: number): Promise<Outcome> {
    const { merchant, txid, payments } = this.orders[order]!;
    const { merchantId } = this.shopOf({ merchant });
    return outcomeOf(async () => {
      const started = await this.app.get(PaymentsService).start({ merchantId, txid }, SANDBOX);
      payments.push(started.id);
    });
  }

  /** The sandbox bank is asked for it over HTTP; it starts a payment when none is live. */
  async pay(order: number, amount: number): Promise<Outcome> {
    const { merchant, txid, payments } = this.orders[order]!;
    const { status, body } = await this.shopOf({ merchant }).pay(txid, { amount });
    if (status !== 200) return String(body['code']);
    const id = String(body.payment!['id']);
    if (!payments.includes(id)) payments.push(id);
    return 'ok';
  }

  /** The bank signs a message about any payment, however old. */
  receive(order: number, payment: number, amount: number, currency: string): Promise<Outcome> {
    return this.tell(order, payment, 'booked', { amount, currency });
  }

  refuse(order: number, payment: number): Promise<Outcome> {
    return this.tell(order, payment, 'refused');
  }

  async cancel(order: number): Promise<Outcome> {
    const { status, body } = await this.shopOf(this.orders[order]!).cancel(
      this.orders[order]!.txid,
    );
    return status === 200 ? 'ok' : String(body['code']);
  }

  expire(): Promise<Outcome> {
    this.app.clock.advance(HOUR_MS + 1);
    return outcomeOf(() => this.app.get(Sweeper).run());
  }

  setFee(merchant: number, currency: string, fee: ModelFee): Promise<Outcome> {
    const { merchantId } = this.shopOf({ merchant });
    const rate = { merchantId, provider: 'sandbox', currency, ...fee, updatedAt: new Date() };
    return this.commit((tx) => this.app.get(FeeRateRepository).save(tx, rate));
  }

  async reverse({ merchant, currency, kind, cause, occurrence }: ModelTransfer): Promise<Outcome> {
    const paymentId = this.orders[cause!.order]!.payments[cause!.payment]!;
    const shop = this.shopOf({ merchant });
    const [transfer] = await select<Transfer>(
      this.app,
      `SELECT id FROM transfers WHERE merchant_id = $1 AND payment_id = $2 AND kind = $3
         AND currency = $4 AND occurrence = $5`,
      [shop.merchantId, paymentId, kind, currency, occurrence],
    );
    let outcome: Outcome = '';
    const asked = await outcomeOf(async () => {
      outcome = await takenBack(this.app, shop, transfer!.id);
    });
    return outcome === 'reversed' || outcome === '' ? asked : outcome;
  }

  sendBack(order: number, amount: number, currency: string): Promise<Outcome> {
    const { txid } = this.orders[order]!;
    const shop = this.shopOf(this.orders[order]!);
    return outcomeOf(() => sentBack(this.app, shop, { txid }, { amount, currency }));
  }

  checkpoint(merchant: number, currency: string): Promise<Outcome> {
    const balance = { ...this.scopeOf(merchant), currency };
    return outcomeOf(() => this.app.get(LedgerRepository).checkpoint(balance));
  }

  draft(balance: ModelBalance, amount: number): Promise<Outcome> {
    return this.ask('draft', balance, amount);
  }

  request(balance: ModelBalance, amount: number): Promise<Outcome> {
    return this.ask('request', balance, amount);
  }

  submit(n: number): Promise<Outcome> {
    return outcomeOf(() =>
      this.app.get(PayoutsService).submit(this.payouts[n]!, this.idOf(n), this.owner.id),
    );
  }

  change({ merchant }: ModelBalance, n: number, amount: number): Promise<Outcome> {
    const wish = { amount, bankAccountId: this.merchants[merchant]!.accountId };
    return outcomeOf(() =>
      this.app.get(PayoutsService).change(this.payouts[n]!, this.idOf(n), wish, this.owner.id),
    );
  }

  async approve(n: number, bySamePerson: boolean): Promise<Outcome> {
    await dealWithReports(this.app);
    const seen = await this.app.get(PayoutRepository).find(this.payouts[n]!, this.idOf(n));
    const approval = {
      userId: bySamePerson ? this.owner.id : this.operator.id,
      secondFactorAt: this.app.clock.now(),
      contentHash: seen!.contentHash ?? Buffer.alloc(32),
    };
    return outcomeOf(() =>
      this.app.get(ApprovalsService).approve(this.payouts[n]!, this.idOf(n), approval),
    );
  }

  move(n: number, to: string): Promise<Outcome> {
    const [payout, id] = [this.payouts[n]!, this.idOf(n)];
    return outcomeOf(() => {
      if (to === 'cancelled') return this.app.get(PayoutsService).cancel(payout, id);
      if (to === 'rejected') return this.app.get(ApprovalsService).reject(payout, id, 'No');
      const end = to as 'paid' | 'failed' | 'returned';
      return this.app.get(PayoutFilesService).ended(payout, end, 'Said the bank', this.owner.id);
    });
  }

  export(currency: string): Promise<Outcome> {
    const request = { mode: 'test', currency, format: 'pain.001.001.09' } as const;
    return outcomeOf(async () => {
      const files = this.app.get(PayoutFilesService);
      this.files.push((await files.export(request, this.operator.id)).id);
    });
  }

  ofFile(file: number, what: 'notSent' | 'submitted' | 'paid'): Promise<Outcome> {
    const files = this.app.get(PayoutFilesService);
    const id = this.files[file]!;
    return outcomeOf(() =>
      what === 'notSent' ? files.notSent(id, this.owner.id) : files[what](id),
    );
  }

  scopeOf(merchant: number) {
    return { merchantId: this.shopOf({ merchant }).merchantId, mode: 'test' } as const;
  }

  private idOf(n: number): string {
    return this.payouts[n]!.id;
  }

  private ask(
    how: 'draft' | 'request',
    { merchant, currency }: ModelBalance,
    amount: number,
  ): Promise<Outcome> {
    const wish = { amount, bankAccountId: this.merchants[merchant]!.accountId };
    const balance = { ...this.scopeOf(merchant), currency };
    return outcomeOf(async () => {
      this.payouts.push(await this.app.get(PayoutsService)[how](balance, wish, this.owner.id));
    });
  }

  private async openAccount({ merchantId }: Client): Promise<string> {
    const accounts = this.app.get(BankAccountsService);
    const scope = { merchantId, mode: 'test' } as const;
    const join = (tx: EntityManager) =>
      this.app.get(UsersService).join(tx, this.owner.id, merchantId, 'owner');
    await this.app.get(Database).transaction(join);
    const account = await accounts.add(
      scope,
      { holder: 'Test Shop', iban: IBANS[0] },
      this.owner.id,
    );
    await accounts.confirm(scope, account!.id, this.owner.id);
    await noticed(this.app, account!.id);
    return account!.id;
  }

  private async tell(
    order: number,
    payment: number,
    ...[result, money]: [SandboxMessage['result'], Partial<SandboxMessage>?]
  ): Promise<Outcome> {
    const { merchant, txid, payments } = this.orders[order]!;
    const { bank } = this.merchants[merchant]!;
    const about = { txid, amount: 0 };
    const body = JSON.stringify(bank.message(about, payments[payment]!, result, money));
    const headers = signed(this.app, bank.account.secret, body);
    const callbacks = this.app.get(ProviderCallbacksService);
    const callback = { headers, body: Buffer.from(body) };
    return outcomeOf(async () => {
      const event = await callbacks.receive('sandbox', bank.account.id, callback);
      if (event) await callbacks.apply(event);
    });
  }

  private commit(work: (tx: EntityManager) => Promise<unknown>): Promise<Outcome> {
    return outcomeOf(() => this.app.get(Database).transaction(work));
  }
}
