import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { WebhookWorker } from '../src/notifications/webhooks/webhook-worker.js';
import type { Client } from './support/client.js';
import { select } from './support/facts.js';
import { NameServer } from './support/name-server.js';
import { Receiver } from './support/receiver.js';
import { openShop } from './support/shop.js';

const PATH = '/api/webhook-endpoint';

const names = await NameServer.start();
const receiver = await Receiver.start();
afterAll(async () => {
  names.stop();
  await receiver.stop();
});
const { app } = await openShop({ env: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' } });
const worker = app.get(WebhookWorker);

const hook = async (shop: Client, url: string): Promise<string> => {
  const reply = await shop.call<{ id: string }>('POST', PATH, { url });
  if (reply.status !== 201) throw new Error(reply.text);
  return reply.body.id;
};
const lookups = async (): Promise<number> => {
  const text = await (await fetch(`${app.url}/metrics`)).text();
  return Number(/^payment_orders_webhook_dns_lookups (\d+)$/m.exec(text)![1]);
};
const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

let fresh = 0;
const silentUrl = (): string => `https://n${++fresh}.silent.example/`;

describe('names whose server never answers', () => {
  let slow: Client;
  let other: Client;

  beforeEach(async () => {
    [slow, other] = [await app.merchant(), await app.merchant()];
    names.asked.length = 0;
    receiver.received.length = 0;
  });

  it('are looked up for two at once who save, and delay nobody else', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 4; n++) ids.push(await hook(slow, receiver.url));
    await hook(other, receiver.url);
    const changes = Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        slow.call('PATCH', `${PATH}/${ids[n % 4]!}`, { url: silentUrl() }),
      ),
    );
    expect(await timed(() => other.order())).toBeLessThan(5_000);
    expect(await lookups()).toBeLessThanOrEqual(2);
    expect(await timed(() => worker.drain())).toBeLessThan(5_000);
    expect(receiver.received).toHaveLength(1);
    expect((await changes).map(({ status }) => status)).toEqual(Array(40).fill(200));
    expect(new Set(names.asked).size).toBe(2);
    expect(await lookups()).toBe(0);
  });

  it('take no more than half of the places for webhooks', async () => {
    for (let n = 0; n < 8; n++) {
      const id = await hook(slow, receiver.url);
      await select(app, 'UPDATE webhook_endpoints SET url = $2 WHERE id = $1', [id, silentUrl()]);
    }
    for (let n = 0; n < 4; n++) await slow.order();
    await hook(other, receiver.url);
    const draining = [worker.drain()];
    while ((await lookups()) < 20) await sleep(20);
    expect(await lookups()).toBe(20);
    await other.order();
    draining.push(worker.drain());
    const told = async () => {
      while (receiver.received.length === 0) await sleep(5);
    };
    expect(await timed(told)).toBeLessThan(2_000);
    await select(
      app,
      `UPDATE webhook_endpoints SET enabled = false, disabled_reason = 'by_merchant'
       WHERE merchant_id = $1`,
      [slow.merchantId],
    );
    await Promise.all(draining);
    const failures = await select<{ error: string }>(
      app,
      'SELECT DISTINCT error FROM delivery_attempts WHERE merchant_id = $1',
      [slow.merchantId],
    );
    expect(failures).toEqual([{ error: 'The name of the host could not be looked up just now.' }]);
    expect(await lookups()).toBe(0);
  });
});

describe('names', () => {
  const sent = async (name: string): Promise<string | null> => {
    const shop = await app.merchant();
    await hook(shop, receiver.urlAt(name));
    await shop.order();
    await worker.drain();
    const [attempt] = await select<{ error: string | null }>(
      app,
      'SELECT error FROM delivery_attempts WHERE merchant_id = $1',
      [shop.merchantId],
    );
    return attempt!.error;
  };

  it('of the hosts file need no name server', async () => {
    expect(await sent('localhost')).toBeNull();
  });

  it('lead where the name server says, of which each address is checked', async () => {
    const answers = new Map([
      ['fine.example', ['127.0.0.1']],
      ['both.example', ['127.0.0.1', '10.0.0.1']],
      ['mapped.example', ['::ffff:10.0.0.1']],
      ['none.example', []],
    ]);
    for (const [name, all] of answers) names.addresses.set(name, () => all);
    expect(await sent('fine.example')).toBeNull();
    expect(await sent('none.example')).toContain('does not exist');
    for (const name of ['both.example', 'mapped.example']) {
      await expect(sent(name)).rejects.toThrow('address_refused');
    }
  });

  it('that lead elsewhere a moment later are not followed there', async () => {
    const asked = () => names.asked.filter((name) => name === 'rebound.example').length;
    // Saved, sent, and whatever would be asked after the check.
    names.addresses.set('rebound.example', () => [asked() < 3 ? '127.0.0.1' : '10.0.0.1']);
    expect(await sent('rebound.example')).toBeNull();
    expect(receiver.last.headers.host).toContain('rebound.example');
    expect(asked()).toBe(2);
  });
});
