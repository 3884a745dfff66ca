import { parse } from 'csv-parse/sync';
import { Database } from '../../src/database/database.js';
import type { Payout } from '../../src/database/payouts/payout.entity.js';
import type { MerchantRole } from '../../src/database/people/membership.entity.js';
import type { PlatformRole } from '../../src/database/people/user.entity.js';
import { UsersService } from '../../src/people/users.service.js';
import type { TestApp } from './app.js';
import type { FormBrowser, PageReply } from './browser-form.js';
import { select } from './facts.js';
import { textOf } from './markup.js';
import { Cashier, paidOrder } from './payouts.js';
import { person, type Person, signedIn } from './people.js';

type Role = MerchantRole | PlatformRole;
type PlatformUser = Person & { readonly browser: FormBrowser };

const platformUsers = new Map<Role, PlatformUser>();

/** One for all merchants of a test file: a sign-in takes its time. */
async function platformUserOf(app: TestApp, role: Role): Promise<PlatformUser> {
  const known = platformUsers.get(role);
  if (known) return known;
  const made = await person(app, role);
  const signed = { ...made, browser: await signedIn(app, made) };
  platformUsers.set(role, signed);
  return signed;
}

/** The pages of a merchant's payouts, and the people who use them. */
export class PayoutPages {
  readonly path: string;

  private constructor(
    private readonly app: TestApp,
    readonly cashier: Cashier,
  ) {
    this.path = `/portal/m/${cashier.shop.merchantId}/test/payouts`;
  }

  /** Of a merchant of its own, with orders of these amounts paid. */
  static async open(app: TestApp, ...amounts: number[]): Promise<PayoutPages> {
    const cashier = await Cashier.of(app, await app.merchant());
    for (const amount of amounts) await paidOrder(cashier.shop, amount);
    return new PayoutPages(app, cashier);
  }

  /** Somebody at the merchant, or of the platform. */
  async as(role: Role): Promise<FormBrowser> {
    const { browser, id } = await platformUserOf(this.app, role);
    const { merchantId } = this.cashier.shop;
    if (role !== 'support' && role !== 'operator') {
      await this.app
        .get(Database)
        .transaction((tx) => this.app.get(UsersService).join(tx, id, merchantId, role));
    }
    return browser;
  }

  pathOf({ id }: Pick<Payout, 'id'>): string {
    return `${this.path}/${id}`;
  }

  /** What a form that nobody has touched would send, changed. */
  async formOf(browser: FormBrowser, change: Record<string, string> = {}) {
    const { html } = await browser.get(`${this.path}/new`);
    const id = formIdIn(html);
    return { id, currency: 'EUR', amount: '', account: this.cashier.account.id, ...change };
  }

  payouts(): Promise<Pick<Payout, 'id' | 'status' | 'amount'>[]> {
    const sql = `SELECT id, status, amount::integer AS amount FROM payouts
      WHERE merchant_id = $1 ORDER BY id`;
    return select(this.app, sql, [this.cashier.shop.merchantId]);
  }

  /** What people did about a payout, as the audit log has it. */
  async entriesOn({ id }: { readonly id: string }): Promise<string[]> {
    const sql = 'SELECT action FROM audit_entries WHERE subject = $1 ORDER BY id';
    const rows = await select<{ action: string }>(this.app, sql, [id]);
    return rows.map(({ action }) => action);
  }

  /** Lets each order cost 2.9 % and 30 cents. */
  async takeFees(): Promise<void> {
    await select(
      this.app,
      `INSERT INTO fee_rates (merchant_id, provider, currency, parts_per_million, fixed, updated_at)
       VALUES ($1, 'sandbox', 'EUR', 29000, 30, now())`,
      [this.cashier.shop.merchantId],
    );
  }
}

export const formIdIn = (html: string): string => /name="id" value="([^"]+)"/.exec(html)![1]!;

/** What is told beside the fields of a form, such as `amount: Type an amount.` */
export const problemsIn = (html: string): string[] =>
  [...html.matchAll(/<div class="problem" id="([^"]+)">([^]*?)<\/div>/g)].map(
    ([, id, text]) => `${id!.replace('-problem', '')}: ${textOf(text!)}`,
  );

/** The rows of the table whose caption begins so, without its first: a list of cells for each. */
export function rowsIn(html: string, caption: string): string[][] {
  const table = new RegExp(`<caption[^>]*>${caption}[^]*?</table>`).exec(html)?.[0] ?? '';
  const [, ...rows] = table.match(/<tr\b[^]*?<\/tr>/g) ?? [];
  return rows.map((row) =>
    [...row.matchAll(/<t[hd]\b[^>]*>([^]*?)<\/t[hd]>/g)].map(([, cell]) => textOf(cell!)),
  );
}

/** What a program reads in a file of RFC 4180. */
export const fileOf = ({ html }: PageReply): Record<string, string>[] =>
  parse(html, { columns: true, record_delimiter: '\r\n' });
