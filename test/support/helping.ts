import { expect } from '@jest/globals';
import type { TestApp } from './app.js';
import type { Client, OrderJson, Reply } from './client.js';

type Fields = Record<string, unknown>;

/** A test helper, or `delete`, and what it is asked with. */
export type Step = readonly [string, Fields?];

/** A shop's tests, which call the test helpers. */
export class Helping {
  constructor(
    private readonly app: TestApp,
    private readonly shop: Client,
  ) {}

  help(
    txid: string,
    helper: string,
    body?: unknown,
    client = this.shop,
  ): Promise<Reply<OrderJson>> {
    return client.call('POST', `/api/test-helpers/order/${txid}/${helper}`, body);
  }

  async read(txid: string): Promise<OrderJson> {
    return (await this.shop.read(txid)).body;
  }

  /** An order that was made a moment ago. */
  async order(): Promise<string> {
    const { txid } = await this.shop.order();
    this.app.clock.advance(1_000);
    return txid;
  }

  /** The order after the last of the steps, which all succeed. */
  async walk(txid: string, ...steps: readonly Step[]): Promise<OrderJson> {
    let last: Reply<OrderJson> | undefined;
    for (const [helper, body] of steps) {
      last =
        helper === 'delete' ? await this.shop.cancel(txid) : await this.help(txid, helper, body);
      expect([helper, last.status]).toEqual([helper, 200]);
      this.app.clock.advance(1_000);
    }
    const now = await this.shop.read(txid);
    if (last) expect(last.text).toBe(now.text);
    return now.body;
  }
}
