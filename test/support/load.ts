import type { Client } from './client.js';

export interface Served {
  readonly requests: number;
  /** What each request that failed said. */
  readonly failed: readonly string[];
  /** The longest answer. */
  readonly worstMs: number;
}

/** Shops that create, read and pay orders, each one after the other, until they are told to stop. */
export class Load {
  private stopped = false;
  private requests = 0;
  private worstMs = 0;
  private readonly failed: string[] = [];
  private readonly shops: Promise<unknown>;

  /** @param shop whom the next order is sent to */
  constructor(
    shops: number,
    private readonly shop: () => Client,
  ) {
    this.shops = Promise.all(Array.from({ length: shops }, () => this.sell()));
  }

  get count(): number {
    return this.requests;
  }

  async stop(): Promise<Served> {
    this.stopped = true;
    await this.shops;
    const { requests, failed } = this;
    return { requests, failed, worstMs: Math.round(this.worstMs) };
  }

  private async sell(): Promise<void> {
    while (!this.stopped) {
      const shop = this.shop();
      const order = await this.timed(() => shop.create(), 201);
      if (!order) continue;
      await this.timed(() => shop.read(order.body.txid), 200);
      await this.timed(() => shop.pay(order.body.txid), 200);
    }
  }

  private async timed<T extends { status: number; text: string }>(
    ask: () => Promise<T>,
    expected: number,
  ): Promise<T | undefined> {
    const start = performance.now();
    this.requests++;
    const reply = await ask().catch((error: Error) => `${error.message}: ${String(error.cause)}`);
    this.worstMs = Math.max(this.worstMs, performance.now() - start);
    if (typeof reply !== 'string' && reply.status === expected) return reply;
    this.failed.push(typeof reply === 'string' ? reply : `${reply.status} ${reply.text}`);
    return undefined;
  }
}
