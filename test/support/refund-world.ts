import { noHook } from '../../src/database/transaction-hook.js';
import { ApprovalsService } from '../../src/payouts/approvals.service.js';
import { PayoutFilesService } from '../../src/payouts/payout-files.service.js';
import { PayoutsService } from '../../src/payouts/payouts.service.js';
import { RefundRunner } from '../../src/refunds/refund-runner.js';
import type { TestApp } from './app.js';
import { backOf, debitOf, looked, transferred } from './bank-refunds.js';
import { forgetDebits } from './bank-lines.js';
import type { Client } from './client.js';
import { select } from './facts.js';
import { type Outcome, outcomeOf } from './outcome.js';
import { Cashier, chargeFee } from './payouts.js';
import { type Person, person } from './people.js';
import type {
  Asked,
  Method,
  ModelMerchant,
  ModelOrder,
  ModelPayment,
  ModelRefund,
} from './refund-model.js';
import { sentBack } from './refunds.js';
import { returned } from './returns.js';

type Transfer = Awaited<ReturnType<typeof transferred>>;

interface Merchant {
  readonly cashier: Cashier;
  readonly payouts: string[];
}

/** The service, in which everything happens for real to what the model knows. */
export class RefundWorld {
  readonly merchants = new Map<ModelMerchant, Merchant>();
  readonly txids = new Map<ModelOrder, string>();
  readonly ids = new Map<ModelRefund, string>();
  private readonly transfers = new Map<ModelPayment, Transfer>();
  private readonly files: string[] = [];

  private constructor(
    readonly app: TestApp,
    /** Approves refunds by bank, and does nothing else. */
    private readonly approver: Person,
    /** Says what became of files. */
    private readonly reporter: Person,
  ) {}

  static async of(app: TestApp): Promise<RefundWorld> {
    return new RefundWorld(app, await person(app, 'operator'), await person(app, 'operator'));
  }

  async join(merchant: ModelMerchant): Promise<void> {
    const shop = await this.app.merchant();
    if (merchant.fee > 0) await chargeFee(this.app, shop, 0, merchant.fee);
    this.merchants.set(merchant, { cashier: await Cashier.of(this.app, shop), payouts: [] });
  }

  shopOf({ merchant }: Pick<ModelOrder, 'merchant'>): Client {
    return this.merchants.get(merchant)!.cashier.shop;
  }

  async create(order: ModelOrder): Promise<void> {
    const { txid } = await this.shopOf(order).order({ amount: order.price });
    this.txids.set(order, txid);
  }

  async pay(order: ModelOrder, amount: number, method: Method): Promise<void> {
    const [shop, txid] = [this.shopOf(order), this.txids.get(order)!];
    if (method === 'bank') {
      const transfer = await transferred(this.app, shop, { txid }, amount);
      this.transfers.set(order.payments.at(-1)!, transfer);
      return;
    }
    const { status, text } = await shop.pay(txid, { amount });
    if (status !== 200) throw new Error(`not paid: ${status} ${text}`);
  }

  async chargeBack(payment: ModelPayment, amount: number): Promise<Outcome> {
    const outcome = await returned(this.app, this.transfers.get(payment)!.credit, amount);
    // A debit that nothing explains would make every return with its amount doubtful.
    if (outcome !== 'taken_back') await forgetDebits(this.app);
    return outcome;
  }

  record(order: ModelOrder, amount: number): Promise<Outcome> {
    const txid = this.txids.get(order)!;
    return outcomeOf(() => sentBack(this.app, this.shopOf(order), { txid }, { amount }));
  }

  /** @returns the id of the refund, or the code of the refusal */
  async ask(order: ModelOrder, asked: Asked): Promise<string> {
    const path = `/api/order/${this.txids.get(order)!}/refund`;
    const { status, body } = await this.shopOf(order).call('POST', path, asked);
    return String(status < 300 ? body['id'] : body['code']);
  }

  decide(refund: ModelRefund, outcome: string): Promise<Outcome> {
    return this.call(refund.order, 'POST', `/api/test-helpers/refund/${this.idOf(refund)}`, {
      outcome,
    });
  }

  async wait(): Promise<void> {
    this.app.clock.advance(5_000);
    await this.app.get(RefundRunner).run();
  }

  cancel(refund: ModelRefund): Promise<Outcome> {
    return this.call(refund.order, 'DELETE', `/api/refund/${this.idOf(refund)}`);
  }

  approve(refund: ModelRefund): Promise<Outcome> {
    const { cashier } = this.merchants.get(refund.order.merchant)!;
    return outcomeOf(() => cashier.approve({ id: this.idOf(refund) }, this.approver));
  }

  reject(refund: ModelRefund): Promise<Outcome> {
    const { scope } = this.merchants.get(refund.order.merchant)!.cashier;
    const approvals = this.app.get(ApprovalsService);
    return outcomeOf(() => approvals.reject(scope, this.idOf(refund), 'Unclear', noHook));
  }

  putIntoFile(file: number): Promise<Outcome> {
    const request = { mode: 'test', currency: 'EUR', format: 'pain.001.001.09' } as const;
    return outcomeOf(async () => {
      const made = await this.app.get(PayoutFilesService).export(request, this.reporter.id);
      this.files[file] = made.id;
    });
  }

  arrive(file: number): Promise<Outcome> {
    return outcomeOf(() => this.app.get(PayoutFilesService).submitted(this.files[file]!));
  }

  async loseFile(file: number, isDownloaded: boolean): Promise<Outcome> {
    const id = this.files[file]!;
    const sql = `INSERT INTO audit_entries (id, user_id, action, subject, data, address, created_at)
      VALUES (gen_random_uuid(), $2, 'payout-file.downloaded', $1, '{}', '', $3)`;
    if (isDownloaded) await select(this.app, sql, [id, this.reporter.id, this.app.clock.now()]);
    return outcomeOf(() => this.app.get(PayoutFilesService).notSent(id, this.reporter.id));
  }

  async leave(refund: ModelRefund): Promise<Outcome> {
    const { payer } = this.transfers.get(refund.payment)!;
    return String(await looked(this.app, debitOf(this.idOf(refund), refund.amount, payer)));
  }

  async comeBack(refund: ModelRefund): Promise<Outcome> {
    const { payer } = this.transfers.get(refund.payment)!;
    return String(await looked(this.app, backOf(this.idOf(refund), refund.amount, payer)));
  }

  fail(refund: ModelRefund): Promise<Outcome> {
    const { scope } = this.merchants.get(refund.order.merchant)!.cashier;
    const payout = { ...scope, id: this.idOf(refund) };
    const files = this.app.get(PayoutFilesService);
    return outcomeOf(() => files.ended(payout, 'failed', 'Account closed', this.reporter.id));
  }

  payOut(merchant: ModelMerchant, amount: number): Promise<Outcome> {
    const { cashier, payouts } = this.merchants.get(merchant)!;
    return outcomeOf(async () => void payouts.push((await cashier.request(amount)).id));
  }

  async keep(merchant: ModelMerchant): Promise<void> {
    const { cashier, payouts } = this.merchants.get(merchant)!;
    await this.app.get(PayoutsService).cancel(cashier.scope, payouts.shift()!);
  }

  /** Status and amount of each refund. */
  async statusesOf(order: ModelOrder): Promise<Record<string, string>> {
    const sql = `SELECT id, status || ' ' || amount AS said FROM refunds WHERE txid = $1`;
    const rows = await select<{ id: string; said: string }>(this.app, sql, [this.txids.get(order)]);
    return Object.fromEntries(rows.map(({ id, said }) => [id, said]));
  }

  /** What was told of the refunds, each with the refund. */
  async eventsOf(order: ModelOrder): Promise<string[]> {
    const sql = `SELECT type, data -> 'refundAsOf' ->> 'id' AS id FROM events
      WHERE txid = $1 AND (type LIKE 'refund.%' OR type = 'order.refunded')`;
    const rows = await select<{ type: string; id: string | null }>(this.app, sql, [
      this.txids.get(order),
    ]);
    return rows.map(({ type, id }) => (id === null ? type : `${id} ${type}`));
  }

  private idOf(refund: ModelRefund): string {
    return this.ids.get(refund)!;
  }

  private async call(order: ModelOrder, ...request: Parameters<Client['call']>): Promise<Outcome> {
    const { status, body } = await this.shopOf(order).call(...request);
    return status < 300 ? 'ok' : String(body['code']);
  }
}
