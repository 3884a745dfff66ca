import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { Database } from '../src/database/database.js';
import { type Client, newOrder, type OrderJson, type Reply } from './support/client.js';
import { connect, onPostgres } from './support/database.js';
import { count } from './support/facts.js';
import { rounds, together, until } from './support/race.js';
import { openShop } from './support/shop.js';

const CALLERS = 64;
/** Times that all connections are ended while callers come. */
const KILLS = 3;

const { app, shop } = await openShop();
const other = await app.merchant();

/** What a caller gets, and what it should. */
interface Answered {
  readonly got: unknown;
  readonly wanted: unknown;
}

const differing = (answers: readonly Answered[]): Answered[] =>
  answers.filter(({ got, wanted }) => !Object.is(JSON.stringify(got), JSON.stringify(wanted)));

const key = (name: string) => ({ 'idempotency-key': name });
const facts = ({ status, body }: Reply<OrderJson>) => [status, body.orderMerchantId, body.amount];

/** Calls of each statement, and callers that it served. */
async function batcher(statement: string): Promise<{ calls: number; callers: number }> {
  const { values } = await app.get(Database).callers.get();
  const one = (suffix: string): number =>
    values.find(
      ({ metricName, labels }) =>
        metricName === `payment_orders_database_batch_size_${suffix}` &&
        labels.statement === statement,
    )?.value ?? 0;
  return { calls: one('count'), callers: one('sum') };
}

describe('many who look orders up at once', () => {
  /** One of the ways to find an order, or what there is not. */
  async function look(n: number, owner: Client, order: OrderJson): Promise<Answered> {
    const { txid, orderMerchantId, amount } = order;
    const paths = [
      `/api/order?txid=${txid}`,
      `/api/order?orderMerchantId=${orderMerchantId}`,
      `/api/order/status?orderTransactionId=${txid}`,
      `/api/order/status?orderMerchantId=${orderMerchantId}`,
    ];
    if (n % 10 === 9) {
      const stranger = owner === shop ? other : shop;
      const { status, body } = await stranger.call('GET', paths[n % 4]!);
      return { got: [status, body['code']], wanted: [404, 'order_not_found'] };
    }
    const reply = await owner.call<OrderJson>('GET', paths[n % 4]!);
    const id = reply.body.txid ?? reply.body['orderTransactionId'];
    return { got: [reply.status, id, reply.body.amount], wanted: [200, txid, amount] };
  }

  it('are each given their own', async () => {
    const owners = [shop, other];
    const orders = await together(
      (n) => owners[n % 2]!.order({ amount: 100 + n, orderMerchantId: `LOOK-${n % 40}-${n}` }),
      CALLERS,
    );
    await rounds(async () => {
      const answers = await together((n) => look(n, owners[n % 2]!, orders[n]!), CALLERS);
      expect(differing(answers)).toEqual([]);
    });
    const { calls, callers } = await batcher('order_by_txid');
    expect(callers).toBeGreaterThan(calls);
  });

  it('see what was acknowledged before they asked', async () => {
    await rounds(async () => {
      const answers = await together(async (n) => {
        const owner = n % 2 ? other : shop;
        const { txid, orderMerchantId } = await owner.order({ amount: 100 + n });
        const reply = await owner.call<OrderJson>(
          'GET',
          n % 4 > 1 ? `/api/order?txid=${txid}` : `/api/order?orderMerchantId=${orderMerchantId}`,
        );
        return { got: facts(reply), wanted: [200, orderMerchantId, 100 + n] };
      }, CALLERS);
      expect(differing(answers)).toEqual([]);
    });
  });
});

describe('many who create orders at once', () => {
  /** Every tenth is a repeat, a conflict, a bad body and so on. */
  async function create(n: number, round: number, before: OrderJson): Promise<Answered> {
    const owner = n % 2 ? other : shop;
    const own = { orderMerchantId: `MANY-${round}-${n}`, amount: 100 + n };
    const { orderMerchantId, txid } = before;
    switch (n % 10) {
      case 2: {
        const again = newOrder({ orderMerchantId, amount: before.amount });
        const reply = await shop.call<OrderJson>('POST', '/api/order', again, key(orderMerchantId));
        const isReplay = reply.headers.get('idempotent-replayed');
        return { got: [reply.status, reply.body.txid, isReplay], wanted: [201, txid, 'true'] };
      }
      case 4: {
        const { status, body } = await shop.create({ orderMerchantId, amount: 1 });
        return {
          got: [status, body['code'], body.txid],
          wanted: [409, 'order_already_exists', txid],
        };
      }
      case 5: {
        const { status } = await owner.create({ ...own, amount: -1 });
        return { got: status, wanted: 422 };
      }
      case 6: {
        const { status, body } = await shop.create(own, key(orderMerchantId));
        return { got: [status, body['code']], wanted: [422, 'idempotency_key_reused'] };
      }
      case 7: {
        const end = new AbortController();
        const sent = fetch(`${owner.url}/api/order`, {
          method: 'POST',
          body: JSON.stringify(newOrder(own)),
          headers: {
            authorization: `Bearer ${owner.secret}`,
            'content-type': 'application/json',
          },
          signal: end.signal,
        });
        setTimeout(() => end.abort(), n % 8);
        const got = await sent.then(
          ({ status }) => status,
          () => 'closed',
        );
        return { got: got === 201 ? 'closed' : got, wanted: 'closed' };
      }
      default: {
        const reply = await owner.create(own, n % 3 ? key(own.orderMerchantId) : {});
        return { got: facts(reply), wanted: [201, own.orderMerchantId, own.amount] };
      }
    }
  }

  it('are each given their own answer', async () => {
    await rounds(async (round) => {
      const orderMerchantId = `BEFORE-${round}`;
      const { body: before } = await shop.create({ orderMerchantId }, key(orderMerchantId));
      const answers = await together((n) => create(n, round, before), CALLERS);
      expect(differing(answers)).toEqual([]);
      const made = `order_merchant_id LIKE $1 AND order_merchant_id NOT LIKE '%7'`;
      // Not those that were refused, nor those of whom nobody knows.
      const wanted = Array.from({ length: CALLERS }, (_, n) => n % 10).filter(
        (digit) => ![2, 4, 5, 6, 7].includes(digit),
      );
      expect(await count(app, 'orders', made, [`MANY-${round}-%`])).toBe(wanted.length);
    });
  });

  it('are each given one order for one key, whatever else goes with it', async () => {
    await rounds(async (round) => {
      const answers = await together((n) => {
        const orderMerchantId = n % 4 ? `ALONE-${round}-${n}` : `SAME-${round}`;
        return shop.create({ orderMerchantId, amount: 100 + (n % 4 && n) }, key(orderMerchantId));
      }, CALLERS);
      expect(answers.every(({ status }) => status === 201)).toBe(true);
      const same = answers.filter((_, n) => n % 4 === 0);
      expect(new Set(same.map(({ text }) => text)).size).toBe(1);
      const ids = new Set(answers.map(({ body }) => body.txid));
      expect(ids.size).toBe(1 + (CALLERS * 3) / 4);
    });
  });
});

const suite = onPostgres(describe, 'the embedded database ends no session');

suite('many callers while connections are ended', () => {
  const END = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`;

  it('are told the truth or to come again', async () => {
    const server = await connect(app.database.url);
    const wrong: unknown[] = [];
    const acknowledged: OrderJson[] = [];
    const all = new Map<string, Client>();
    let isOver = false;

    async function sell(n: number): Promise<void> {
      const owner = n % 2 ? other : shop;
      while (!isOver) {
        const orderMerchantId = randomUUID();
        all.set(orderMerchantId, owner);
        const made = await owner.create({ orderMerchantId, amount: 100 + n }, key(orderMerchantId));
        const read = await owner.call<OrderJson>(
          'GET',
          `/api/order?orderMerchantId=${orderMerchantId}`,
        );
        const wanted = JSON.stringify([orderMerchantId, 100 + n]);
        for (const { status, body, headers } of [made, read]) {
          const isAway = status === 503 && Number(headers.get('retry-after')) > 0;
          const isOwn = JSON.stringify([body.orderMerchantId, body.amount]) === wanted;
          const isUnmade = made.status === 503 && status === 404;
          if (!isAway && !isUnmade && !isOwn) wrong.push([orderMerchantId, status, body]);
        }
        if (made.status === 201) acknowledged.push(made.body);
      }
    }

    const selling = together(sell, CALLERS);
    for (let kill = 0; kill < KILLS; kill++) {
      const enough = acknowledged.length + 2 * CALLERS;
      await until('orders are made', async () => acknowledged.length > enough);
      await server.query(END);
      await sleep(50);
    }
    isOver = true;
    await selling;
    await server.end();
    expect(wrong).toEqual([]);
    await until('the service is well', async () => (await shop.create()).status === 201);
    const held = 'order_merchant_id = $1 AND txid = $2';
    for (const { orderMerchantId, txid } of acknowledged) {
      expect(await count(app, 'orders', held, [orderMerchantId, txid])).toBe(1);
    }
    // Whoever was told to come again gets one order.
    const unknown = [...all].filter(
      ([id]) => !acknowledged.some(({ orderMerchantId }) => orderMerchantId === id),
    );
    for (const [orderMerchantId, owner] of unknown) {
      const again = { orderMerchantId, amount: 100 };
      expect([201, 422]).toContain((await owner.create(again, key(orderMerchantId))).status);
      expect(await count(app, 'orders', 'order_merchant_id = $1', [orderMerchantId])).toBe(1);
    }
  });
});
