import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { OrderWatch } from '../src/payment-page/order-watch.js';
import { openShop } from './support/shop.js';

const RESETS = 3_000;
const AT_ONCE = 50;
const PER_ORDER = 10;
const PER_ADDRESS = 100;
const TIMEOUT_MS = 10_000;

const { app, shop } = await openShop({ env: { TRUST_PROXY: '127.0.0.1' } });

describe('the streams of payment pages', () => {
  const watch = app.get(OrderWatch);

  async function untilNone(): Promise<void> {
    const end = performance.now() + TIMEOUT_MS;
    while (watch.size > 0 && performance.now() < end) await sleep(20);
    expect(watch.size).toBe(0);
  }

  /** Asks for a stream and is gone, at any moment of it. */
  async function reset(path: string, afterMs: number): Promise<void> {
    const { hostname, port } = new URL(app.url);
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    if (afterMs > 0) await sleep(afterMs);
    socket.resetAndDestroy();
  }

  it('are freed at whatever moment their clients go', async () => {
    const path = `${new URL((await shop.order()).paymentPageUrl).pathname}/events`;
    for (let done = 0; done < RESETS; done += AT_ONCE) {
      const delays = Array.from({ length: AT_ONCE }, (_, n) => n % 10);
      await Promise.all(delays.map((afterMs) => reset(path, afterMs)));
    }
    await untilNone();
    const answer = await fetch(app.url + path);
    expect(answer.status).toBe(200);
    await answer.body?.cancel();
    await untilNone();
  });

  it('have no place for who asks for their head alone', async () => {
    const { paymentPageUrl } = await shop.order();
    for (let n = 0; n < 2 * PER_ORDER; n++) {
      const answer = await fetch(`${paymentPageUrl}/events`, { method: 'HEAD' });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toMatch('text/event-stream');
      expect(watch.size).toBe(0);
    }
  });

  it('are few for each order and each address, and free again when they end', async () => {
    const end = new AbortController();
    // An answer that is garbage collected closes its connection.
    const answers: Response[] = [];
    const open = async (url: string, address: string): Promise<number> => {
      const headers = { 'x-forwarded-for': address };
      const answer = await fetch(`${url}/events`, { headers, signal: end.signal });
      answers.push(answer);
      if (answer.status === 429) expect(answer.headers.get('retry-after')).toBe('10');
      return answer.status;
    };
    for (let n = 0; n < PER_ADDRESS / PER_ORDER; n++) {
      const { paymentPageUrl } = await shop.order();
      for (let i = 0; i < PER_ORDER; i++) {
        expect(await open(paymentPageUrl, '203.0.113.1')).toBe(200);
      }
      expect(await open(paymentPageUrl, '203.0.113.2')).toBe(429);
    }
    const { paymentPageUrl } = await shop.order();
    expect(await open(paymentPageUrl, '203.0.113.1')).toBe(429);
    expect(await open(paymentPageUrl, '203.0.113.2')).toBe(200);
    end.abort();
    await untilNone();
    expect(answers).toHaveLength(PER_ADDRESS + PER_ADDRESS / PER_ORDER + 2);
    const again = new AbortController();
    const answer = await fetch(`${paymentPageUrl}/events`, { signal: again.signal });
    expect(answer.status).toBe(200);
    again.abort();
  });
});
