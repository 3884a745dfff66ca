import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import type { Client, OrderJson, Reply } from './client.js';

/** A shop comes again so long after it was told to; real shops wait longer. */
const AGAIN_MS = 100;

const create = (shop: Client, key: string): Promise<Reply<OrderJson>> =>
  shop.create({ orderMerchantId: key }, { 'idempotency-key': key });

/** `fetch` says so when the service went away, before its answer or in the middle of it. */
const isGone = (error: unknown): boolean =>
  /^(fetch failed|terminated)$/.test((error as Error).message);

/** What shops were told while they sold, to be held against what is there after a crash. */
export class Sales {
  /** The order's `txid` by the key of the request that made it. */
  readonly created = new Map<string, string>();
  /** Keys whose payment was acknowledged. */
  readonly paid = new Set<string>();
  /** How often an answer had which status. */
  readonly statuses: Record<number, number> = {};
  private stopped = false;

  /** Creates and pays orders until the service is gone, or `stop` is called. */
  async sell(shop: Client): Promise<void> {
    while (!this.stopped) {
      try {
        await this.sellOne(shop, randomUUID());
      } catch (error) {
        if (isGone(error)) return;
        throw error;
      }
    }
  }

  stop(): void {
    this.stopped = true;
  }

  /** Every acknowledged order is there once, and what was paid is paid. */
  async check(shop: Client): Promise<void> {
    for (const [key, txid] of this.created) {
      const again = await create(shop, key);
      expect([again.status, again.body.txid]).toEqual([201, txid]);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      const { body } = await shop.read(txid);
      expect(body).toMatchObject({ txid, orderMerchantId: key });
      if (this.paid.has(key)) expect(body).toMatchObject({ status: 'paid', amountReceived: 8990 });
    }
  }

  private async sellOne(shop: Client, key: string): Promise<void> {
    const order = await this.insist(() => create(shop, key));
    expect(order.status).toBe(201);
    this.created.set(key, order.body.txid);
    const paid = await this.insist(() => shop.pay(order.body.txid));
    // Whoever was told 503 may find the payment under way, or made.
    if (paid.status !== 200 || paid.body.status !== 'paid') return;
    this.paid.add(key);
  }

  /** Sends a request again while the answer is 503, as shops are told to. */
  private async insist(request: () => Promise<Reply<OrderJson>>): Promise<Reply<OrderJson>> {
    for (;;) {
      const reply = await request();
      this.statuses[reply.status] = (this.statuses[reply.status] ?? 0) + 1;
      if (reply.status !== 503) return reply;
      expect(reply.headers.get('retry-after')).toMatch(/^\d+$/);
      await sleep(AGAIN_MS);
    }
  }
}
