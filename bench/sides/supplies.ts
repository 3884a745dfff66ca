import { randomToken } from '../../src/common/ids.js';
import { Client } from '../../test/support/client.js';
import { COPY_MERCHANT, copyOrder } from './copies.js';
import type { Query } from './database.js';
import type { Shop } from './kind.js';
import type { Side } from './side.js';

/** Things of which each can be used once. */
export class Supply<Thing> {
  constructor(private things: readonly Thing[]) {}

  /** @throws Error when all of them are used */
  next(count: number): readonly Thing[] {
    if (this.things.length === 0) throw new Error('the supplies did not last');
    return this.things.slice(0, count);
  }

  used(count: number): void {
    this.things = this.things.slice(count);
  }
}

export interface Copy {
  readonly txid: string;
  readonly payment: string | null;
  readonly token: string;
}

interface Place {
  readonly txid: string;
  readonly time: Date;
}

/** Where callbacks are sent to, and what signs them. */
export interface Account {
  readonly id: string;
  readonly secret: string;
}

/** What is there to be asked for. */
export interface Supplies {
  readonly shop: Shop;
  /** A hundred others. */
  readonly shops: readonly Shop[];
  readonly account: Account;
  /** Some of all orders, by both ids. */
  readonly listed: readonly { readonly txid: string; readonly orderMerchantId: string }[];
  /** Tokens of open orders. */
  readonly pages: readonly string[];
  readonly cancelable: Supply<Copy>;
  readonly payable: Supply<Copy>;
  /** Whose feed is read, and ids of events in it. */
  readonly feed: { readonly shop: Shop; readonly ids: readonly string[] };
  /** So near to the oldest order that a page before it is the last one. */
  readonly deepest: Place;
}

export interface Wanted {
  /** Orders of the past. */
  readonly rows: number;
  /** Orders that can be cancelled, and payments that can be made. */
  readonly each: number;
}

const MERCHANTS = 100;
const SAMPLE = 20_000;
const PAGES = 2_000;
const EVENTS = 2_000;
const SEED_BATCH = 20_000;
const PAGE_ROWS = 25;

const OPEN = 'bench-open';
const PENDING = 'bench-pending';

const ACCOUNT =
  'SELECT id, callback_secret AS secret FROM provider_accounts WHERE merchant_id = $1';
const LISTED = `SELECT txid, order_merchant_id AS "orderMerchantId" FROM orders TABLESAMPLE SYSTEM ($2)
  WHERE merchant_id = $1 LIMIT ${SAMPLE}`;
const EVENT_IDS = `SELECT id FROM events WHERE merchant_id = $1 ORDER BY id LIMIT ${EVENTS - 100}`;
const DEEPEST = `SELECT txid, created_at AS time FROM orders
  WHERE merchant_id = $1 AND mode = 'test' AND amount > 0 ORDER BY created_at, txid
  OFFSET least($2::integer, ${PAGE_ROWS}) LIMIT 1`;

/** Fills a side's database, as no shop could over HTTP within minutes. */
export async function furnish(side: Side, wanted: Wanted): Promise<Supplies> {
  const [shop, other] = side.shops;
  await sellOne(side, shop);
  const another = await sellOne(side, other);
  const supplies = await side.withDatabase(async (query) => {
    await seed(side, query, wanted.rows);
    const copy = (from: Shop, source: string, name: string, count: number) =>
      query<Copy>(copyOrder(side.kind.position), [from.merchantId, source, name, count]);
    const pages = await copy(shop, OPEN, 'page', PAGES);
    const cancelable = await copy(shop, OPEN, 'cancel', wanted.each);
    const payable = await copy(shop, PENDING, 'pay', wanted.each);
    await copy(other, OPEN, 'feed', EVENTS);
    const keys = Array.from({ length: MERCHANTS }, () => `pos_test_${randomToken(32)}`);
    await query(COPY_MERCHANT, [shop.merchantId, keys]);
    await query('VACUUM ANALYZE');
    await query('CHECKPOINT');
    const all = wanted.rows + 2 * wanted.each + PAGES;
    const percent = Math.min(100, (200 * SAMPLE) / all);
    return {
      shop,
      shops: keys.map((apiKey) => ({ merchantId: '', apiKey })),
      account: (await query<Account>(ACCOUNT, [shop.merchantId]))[0]!,
      listed: await query<Supplies['listed'][number]>(LISTED, [shop.merchantId, percent]),
      pages: pages.map(({ token }) => token),
      cancelable: new Supply(cancelable),
      payable: new Supply(payable),
      deepest: (await query<Place>(DEEPEST, [shop.merchantId, all - 1]))[0]!,
      ids: (await query<{ id: string }>(EVENT_IDS, [other.merchantId])).map(({ id }) => id),
    };
  });
  await another.call('GET', '/api/event?after=latest');
  const { ids, ...rest } = supplies;
  return { ...rest, feed: { shop: other, ids } };
}

/** The orders of which the others are copies: one is open, one waits for its payment. */
async function sellOne(side: Side, { merchantId, apiKey }: Shop): Promise<Client> {
  const client = new Client(side.url, apiKey, merchantId, '');
  const customer = { name: 'Erika Mustermann', email: 'erika@example.com' };
  await client.order({ orderMerchantId: OPEN, customer });
  const pending = await client.order({ orderMerchantId: PENDING, customer });
  const body = new URLSearchParams({ method: 'sandbox' });
  const start = { method: 'POST', redirect: 'manual', body } as const;
  await (await fetch(`${pending.paymentPageUrl}/start`, start)).text();
  return client;
}

async function seed({ kind, shops }: Side, query: Query, count: number): Promise<void> {
  const { merchantId } = shops[0];
  for (let first = 1; first <= count; first += SEED_BATCH) {
    const last = Math.min(first + SEED_BATCH - 1, count);
    await kind.seed(query, merchantId, { first, last, count });
  }
}
