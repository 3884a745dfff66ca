import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { csrfOf } from '../../src/people/sessions/session-token.js';
import { SessionsService } from '../../src/people/sessions/sessions.service.js';
import { UsersService } from '../../src/people/users.service.js';
import type { TestApp } from './app.js';
import { select } from './facts.js';
import { Cashier, paidOrder } from './payouts.js';
import { codeOf, type Person, person, withTotp } from './people.js';
import { liveRichly } from './rich-life.js';

/** A request that makes sense just now. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | URLSearchParams | FormData;
  /** The answer does not end by itself: its first part is read. */
  readonly isStream?: boolean;
}

/**
 * How routes are visited: what is to be asked, by the route, with ` # variant` behind it for other
 * ways through the same one. Each makes what it needs first, because a visit may use it up.
 */
export type Visits = Readonly<Record<string, () => Promise<Asked>>>;

/** Asks it, and reads the answer to its end. */
export async function sent({ url }: TestApp, asked: Asked): Promise<void> {
  const { method, path, headers = {}, body } = asked;
  const init = { method, redirect: 'manual', headers } as const;
  await (await fetch(url + path, { ...init, ...(body ? { body } : {}) })).text();
}

interface Sender {
  /** Null when the person owes a code. */
  readonly shownAt?: Date | null;
  /** The page on which the form stands; its hidden fields are sent too. */
  readonly page?: string;
}

type Fields = Readonly<Record<string, string | readonly string[]>>;

/** The cookie of somebody who has not signed in. */
const NOBODY = 'a'.repeat(43);
/** Where nobody receives webhooks any more. */
export const GONE = '/gone';
/** Where they are refused for the time being. */
export const BROKEN = '/broken';
/** Connections of the pool, each of which may be found dead. */
const CONNECTIONS_MAX = 10;
/** People of the team who came last, and stay. */
const COLLEAGUES_MAX = 10;
/** The balance from which payouts are asked for again and again, in cents. */
const FUNDS = 50_000_000;

const ANSWERS: Readonly<Record<string, number>> = { [GONE]: 410, [BROKEN]: 500 };

/** A merchant with a rich life, the people around it, and somebody who receives its webhooks. */
export class World {
  private count = 0;
  private readonly colleagues: Person[] = [];

  private constructor(
    readonly app: TestApp,
    readonly cashier: Cashier,
    readonly owner: Person & { readonly totp: string },
    readonly operator: Person & { readonly totp: string },
    /** Does the bank’s pages and says how payouts ended, and so approves none of the same money. */
    readonly teller: Person & { readonly totp: string },
    readonly support: Person,
    readonly hook: string,
    private readonly receiver: Server,
  ) {}

  static async create(app: TestApp): Promise<World> {
    const receiver = createServer((request, response) => {
      request.resume();
      const end = Object.keys(ANSWERS).find((path) => request.url?.endsWith(path));
      response.writeHead(end ? ANSWERS[end]! : 204).end();
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    const cashier = await liveRichly(app);
    await paidOrder(cashier.shop, FUNDS);
    await select(app, 'UPDATE webhook_endpoints SET url = $1', [hook]);
    const owner = await withTotp(app, cashier.owner);
    const operator = await withTotp(app, cashier.operator);
    const teller = await withTotp(app, await person(app, 'operator'));
    const support = await withTotp(app, await person(app, 'support'));
    return new World(app, cashier, owner, operator, teller, support, hook, receiver);
  }

  close(): void {
    this.receiver.closeAllConnections();
    this.receiver.close();
  }

  get shop() {
    return this.cashier.shop;
  }

  get base(): string {
    return `/portal/m/${this.shop.merchantId}/test`;
  }

  /** A word that was never used. */
  word(start = 'word'): string {
    return `${start}-${++this.count}`;
  }

  /** Connections that a fault has ended are found out here as well. */
  async select<T = Record<string, unknown>>(
    sql: string,
    values: readonly unknown[] = [],
  ): Promise<T[]> {
    for (let tries = 1; ; tries++) {
      try {
        return await select<T>(this.app, sql, values);
      } catch (error) {
        if (tries === CONNECTIONS_MAX || !/Connection terminated/.test(String(error))) throw error;
      }
    }
  }

  /** A German account that is valid, and that nobody has named yet. */
  readonly iban = (): string => {
    const account = `37040044${String(++this.count).padStart(10, '0')}`;
    // ISO 13616: letters are numbers from 10 on, and D, E comes to 1314.
    const check = 98n - (BigInt(`${account}131400`) % 97n);
    return `DE${String(check).padStart(2, '0')}${account}`;
  };

  /** The first row of a question about the merchant, which is the first parameter. */
  async one<T = { id: string }>(sql: string, ...values: unknown[]): Promise<T> {
    const [row] = await this.select<T>(sql, [this.shop.merchantId, ...values]);
    if (!row) throw new Error(`nothing found: ${sql}`);
    return row;
  }

  /** By a program of the shop. */
  async api(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Asked> {
    const authorization = `Bearer ${this.shop.secret}`;
    if (body === undefined) return { method, path, headers: { authorization, ...headers } };
    const json = { authorization, 'content-type': 'application/json', ...headers };
    return { method, path, headers: json, body: JSON.stringify(body) };
  }

  /** By somebody without a name. */
  async anyone(method: string, path: string, fields?: Record<string, string>): Promise<Asked> {
    return { method, path, ...(fields ? { body: new URLSearchParams(fields) } : {}) };
  }

  async get(path: string, who: Person = this.owner, sender: Sender = {}): Promise<Asked> {
    return { method: 'GET', path, headers: { cookie: (await this.session(who, sender)).cookie } };
  }

  /** A form of the portal, with what its page has filled in where one is named. */
  async post(
    path: string,
    fields: Fields = {},
    who: Person | null = this.owner,
    sender: Sender = {},
  ): Promise<Asked> {
    const { cookie, token } = await this.session(who, sender);
    const body = new URLSearchParams({ csrf: csrfOf(token) });
    if (sender.page) {
      const page = await fetch(this.app.url + sender.page, { headers: { cookie } });
      for (const [name, value] of hiddenIn(await page.text())) body.set(name, value);
    }
    for (const [name, values] of Object.entries(fields)) {
      body.delete(name);
      for (const value of [values].flat()) body.append(name, value);
    }
    return { method: 'POST', path, headers: { cookie }, body };
  }

  code({ totp }: Person): Promise<string> {
    return codeOf(this.app, totp!);
  }

  /** Somebody new with a role at the merchant; who came long ago leaves, so that the team never fills. */
  async colleague(role: 'owner' | 'viewer' = 'viewer'): Promise<Person> {
    const made = await person(this.app, role, this.shop.merchantId);
    this.colleagues.push(made);
    const former = this.colleagues.length > COLLEAGUES_MAX && this.colleagues.shift();
    const leave = 'DELETE FROM memberships WHERE merchant_id = $1 AND user_id = $2';
    if (former) await this.select(leave, [this.shop.merchantId, former.id]);
    return made;
  }

  private async session(
    who: Person | null,
    { shownAt = who?.totp ? this.app.clock.now() : null }: Sender,
  ): Promise<{ cookie: string; token: string }> {
    if (!who) return { cookie: `portal=${NOBODY}`, token: NOBODY };
    const browser = { address: '192.0.2.1', agent: 'visits' };
    const user = await this.app.get(UsersService).find(who.id);
    const token = (await this.app.get(SessionsService).begin(user!, browser, shownAt))!;
    return { cookie: `portal=${token}`, token };
  }
}

function* hiddenIn(html: string): Generator<[string, string]> {
  for (const [input] of html.matchAll(/<input[^>]*type="hidden"[^>]*>/g)) {
    const name = /name="([^"]*)"/.exec(input)?.[1];
    if (name && name !== 'csrf') yield [name, /value="([^"]*)"/.exec(input)?.[1] ?? ''];
  }
}
