import { MatcherService } from '../../src/bank/matching/matcher.service.js';
import { withoutDashes } from '../../src/common/ids.js';
import { RefundRunner } from '../../src/refunds/refund-runner.js';
import type { TestApp } from './app.js';
import { bookedLine, credited, type NewLine } from './bank-lines.js';
import type { Mode } from '../../src/database/merchants/api-key.entity.js';
import type { Client, OrderJson } from './client.js';
import { enableLiveProvider } from './live.js';
import { select } from './facts.js';
import { Cashier } from './payouts.js';
import type { Person } from './people.js';

const IBANS = [
  'FR1420041010050500013M02606',
  'BE68539007547034',
  'ES9121000418450200051332',
  'AT611904300234573201',
];
let payers = 0;

const PAULA = { accountType: 'iban', accountName: 'Paula Payer' } as const;
/** As of a bank that names no payer. */
const NAMELESS = { accountNumber: null, accountType: null, accountName: null } as const;

/** An order of 10.00 that was paid by a transfer whose sender the bank did not name. */
export async function paidUnnamed(app: TestApp, shop: Client): Promise<OrderJson> {
  const order = await shop.order({ amount: 1_000 });
  await credited(app, shop, order, 1_000, { payer: NAMELESS });
  return order;
}

/** An order that was paid by one transfer, and its refunds. */
export class PaidByTransfer {
  private constructor(
    readonly app: TestApp,
    readonly cashier: Cashier,
    readonly order: OrderJson,
    /** The payer's IBAN, also if the bank does not name it. */
    readonly payer: string,
    /** The end-to-end id of the transfer. */
    readonly name: string,
    /** Approves refunds, and has no hand in the money. */
    readonly operator: Person,
  ) {}

  static async of(
    app: TestApp,
    operator: Person,
    amount: number,
    order: Record<string, unknown> = {},
    { unnamed = false, mode = 'test' }: { unnamed?: boolean; mode?: Mode } = {},
  ): Promise<PaidByTransfer> {
    const merchant = await app.merchant();
    if (mode === 'live') await enableLiveProvider(app, merchant.merchantId);
    const shop = mode === 'live' ? await app.key(merchant.merchantId, { mode }) : merchant;
    const cashier = await Cashier.of(app, shop, undefined, mode);
    const created = await cashier.shop.order({ amount, ...order });
    const payer = IBANS[payers++ % IBANS.length]!;
    const from = unnamed ? NAMELESS : { ...PAULA, accountNumber: payer };
    const { line } = await credited(app, cashier.shop, created, amount, { payer: from }, mode);
    const name = `E2E-${line.id.slice(-12)}`;
    await select(app, 'UPDATE bank_lines SET end_to_end_id = $2 WHERE id = $1', [line.id, name]);
    app.clock.advance(1_000);
    return new PaidByTransfer(app, cashier, created, payer, name, operator);
  }

  get shop(): Client {
    return this.cashier.shop;
  }

  async ask(body: object = {}) {
    const answer = await this.shop.call('POST', `/api/order/${this.order.txid}/refund`, body);
    return { ...answer, id: String(answer.body['id']) };
  }

  /** The address of the payer's page. */
  async link(id: string): Promise<string> {
    const answer = await this.shop.call('GET', `/api/refund/${id}/payer-link`);
    return new URL(String(answer.body['url'])).pathname;
  }

  /** The payer enters an account. */
  async enter(page: string, entry: Record<string, string> = {}): Promise<Response> {
    return fetch(this.app.url + page, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ holder: 'Paula Payer', iban: this.payer, ...entry }),
    });
  }

  async statusOf(id: string): Promise<unknown> {
    return (await this.shop.call('GET', `/api/refund/${id}`)).body['status'];
  }

  cancel(id: string) {
    return this.shop.call('DELETE', `/api/refund/${id}`);
  }

  approve(id: string, by = this.operator) {
    return this.cashier.approve({ id }, by);
  }

  /** A debit of the bank with the id of the refund. */
  sent(id: string, amount: number): NewLine {
    return {
      amount,
      direction: 'out',
      endToEndId: withoutDashes(id),
      counterpartyAccount: this.payer,
    };
  }

  /** The bank of the payer returns it. */
  back(id: string, amount: number): NewLine {
    return { ...this.sent(id, amount), direction: 'in', kind: 'return', returned: true };
  }

  /** Imports the line. @returns the reason of its state */
  async looked(line: NewLine): Promise<string | null> {
    const { id } = await bookedLine(this.app, line);
    while (!(await this.app.get(MatcherService).matchNew()));
    const sql = 'SELECT reason FROM bank_lines WHERE id = $1';
    return (await select<{ reason: string | null }>(this.app, sql, [id]))[0]!.reason;
  }

  run(): Promise<void> {
    return this.app.get(RefundRunner).run();
  }
}
