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

interface Paying {
  /** Whether the bank names no payer. */
  readonly unnamed?: boolean;
  readonly mode?: Mode;
}

/** A payer pays an order by a transfer with a name of its own. */
export async function transferred(
  app: TestApp,
  shop: Client,
  order: Pick<OrderJson, 'txid'>,
  amount: number,
  { unnamed = false, mode = 'test' }: Paying = {},
) {
  const payer = IBANS[payers++ % IBANS.length]!;
  const from = unnamed ? NAMELESS : { ...PAULA, accountNumber: payer };
  const credit = await credited(app, shop, order, amount, { payer: from }, mode);
  const { id } = credit.line;
  const name = `E2E-${id.slice(-12)}`;
  await select(app, 'UPDATE bank_lines SET end_to_end_id = $2 WHERE id = $1', [id, name]);
  return { payer, name, credit };
}

/** Imports the line. @returns the reason of its state */
export async function looked(app: TestApp, line: NewLine): Promise<string | null> {
  const { id } = await bookedLine(app, line);
  while (!(await app.get(MatcherService).matchNew()));
  const sql = 'SELECT reason FROM bank_lines WHERE id = $1';
  return (await select<{ reason: string | null }>(app, sql, [id]))[0]!.reason;
}

/** A debit of the bank with the id of a refund. */
export const debitOf = (id: string, amount: number, payer: string): NewLine => ({
  amount,
  direction: 'out',
  endToEndId: withoutDashes(id),
  counterpartyAccount: payer,
});

/** The bank of the payer returns it. */
export const backOf = (id: string, amount: number, payer: string): NewLine => ({
  ...debitOf(id, amount, payer),
  direction: 'in',
  kind: 'return',
  returned: true,
});

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
    paying: Paying = {},
  ): Promise<PaidByTransfer> {
    const { mode = 'test' } = paying;
    const merchant = await app.merchant();
    if (mode === 'live') await enableLiveProvider(app, merchant.merchantId);
    const shop = mode === 'live' ? await app.key(merchant.merchantId, { mode }) : merchant;
    const cashier = await Cashier.of(app, shop, undefined, mode);
    const created = await cashier.shop.order({ amount, ...order });
    const { payer, name } = await transferred(app, cashier.shop, created, amount, paying);
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
    return debitOf(id, amount, this.payer);
  }

  /** The bank of the payer returns it. */
  back(id: string, amount: number): NewLine {
    return backOf(id, amount, this.payer);
  }

  /** Imports the line. @returns the reason of its state */
  looked(line: NewLine): Promise<string | null> {
    return looked(this.app, line);
  }

  run(): Promise<void> {
    return this.app.get(RefundRunner).run();
  }
}
