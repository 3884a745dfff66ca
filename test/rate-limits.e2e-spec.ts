import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { readConfig } from '../src/config/config.js';
import { SeedRepository } from '../src/database/demo/seed.repository.js';
import { ApiKeyRepository } from '../src/database/merchants/api-key.repository.js';
import { RateLimiter } from '../src/merchants/rate-limiter.js';
import { RedisBuckets } from '../src/merchants/redis-buckets.js';
import { type Bucket, type Policy, take } from '../src/overload/token-bucket.js';
import { TestApp } from './support/app.js';
import { TestClock } from './support/clock.js';
import type { Client, Reply } from './support/client.js';
import { findRedis, RedisPort } from './support/redis.js';
import { openShop } from './support/shop.js';

const redis = await findRedis();
const withRedis = redis ? describe : describe.skip;
afterAll(() => redis?.disconnect());

const read = (shop: Client): Promise<Reply> => shop.call('GET', `/api/order?txid=${randomUUID()}`);

const limits = ({ headers }: Reply) => ({
  policy: headers.get('ratelimit-policy'),
  left: headers.get('ratelimit'),
});

// Some of these are about single milliseconds, which a busy machine does not always have.
jest.retryTimes(2);

const { app } = await openShop({
  env: { RATE_LIMITS: 'on', RATE_WRITES: '2', RATE_READS: '3', RATE_PAGES: '4' },
});

describe('rate limits', () => {
  let shop: Client;

  it('tells a key what it has left, for writes and reads apart', async () => {
    shop = await app.merchant();
    const created = await shop.create();
    expect(created.status).toBe(201);
    expect(limits(created)).toEqual({ policy: '"writes";q=4;w=2', left: '"writes";r=3;t=1' });
    expect(limits(await shop.create())).toMatchObject({ left: '"writes";r=2;t=1' });
    const missing = await read(shop);
    expect(missing.status).toBe(404);
    expect(limits(missing)).toEqual({ policy: '"reads";q=6;w=2', left: '"reads";r=5;t=1' });
  });

  it('sends a key away that wrote too much, until a token has dripped in', async () => {
    shop = await app.merchant();
    for (let i = 0; i < 4; i++) expect((await shop.create()).status).toBe(201);
    const refused = await shop.create();
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({ code: 'rate_limited', status: 429, retryable: true });
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(limits(refused)).toEqual({ policy: '"writes";q=4;w=2', left: '"writes";r=0;t=2' });

    expect((await read(shop)).status).toBe(404);
    expect((await (await app.key(shop.merchantId)).create()).status).toBe(201);
    app.clock.advance(500);
    expect((await shop.create()).status).toBe(201);
    expect((await shop.create()).status).toBe(429);
  });

  it('gives all keys of a merchant in one mode together what four have', async () => {
    const { merchantId } = await app.merchant();
    const keys = [];
    for (let n = 0; n < 6; n++) keys.push(await app.key(merchantId));
    const seen: number[] = [];
    for (const key of keys) {
      for (let n = 0; n < 4; n++) seen.push((await key.create()).status);
    }
    expect(seen).toEqual([...Array<number>(16).fill(201), ...Array<number>(8).fill(429)]);
    expect((await (await app.key(merchantId, { mode: 'live' })).create()).status).not.toBe(429);
    expect((await (await app.merchant()).create()).status).toBe(201);
  });

  it('counts a large answer as several reads, which may be owed, and says so in the same answer', async () => {
    shop = await app.merchant();
    const seed = { merchantId: shop.merchantId, count: 100, days: 1, run: 'weight' };
    await app.get(SeedRepository).insert({ ...seed, now: app.clock.now() });
    const few = await shop.call('GET', '/api/order/search?limit=5');
    expect(few.text.length).toBeLessThan(10_000);
    // A search counts as twenty, and takes what there is at most.
    expect(limits(few).left).toBe('"reads";r=0;t=2');
    app.clock.advance(2_000);
    const many = await shop.call('GET', '/api/order/search?limit=100');
    const tokens = Math.ceil(Buffer.byteLength(many.text) / 10_000);
    expect([many.status, tokens > 6]).toEqual([200, true]);
    // Of 6 that come back by 3 a second all were gone.
    expect(limits(many).left).toBe(`"reads";r=0;t=${Math.ceil((6 + tokens - 1) / 3)}`);
    const refused = await read(shop);
    expect(refused.status).toBe(429);
    const wait = Math.ceil(tokens / 3);
    expect(refused.headers.get('retry-after')).toBe(String(wait));
    app.clock.advance(wait * 1_000);
    expect((await read(shop)).status).toBe(404);
    // What a key owes, the others of its merchant have less of; strangers do not.
    expect((await read(await app.merchant())).status).toBe(404);
  });

  it('counts a big body as several writes', async () => {
    shop = await app.merchant();
    const fields = (text: string) => ({
      optionalFields: Object.fromEntries(
        Array.from({ length: 20 }, (_, n) => [n, text.repeat(255)]),
      ),
    });
    const left = async (changes: Record<string, unknown>) =>
      limits(await shop.create(changes)).left;
    expect(await left({})).toBe('"writes";r=3;t=1');
    expect(await left(fields('x'))).toBe('"writes";r=1;t=2');
    const huge = await shop.create(fields('🧾'));
    expect(huge.status).toBe(429);
    expect(huge.headers.get('retry-after')).toBe('2');
    app.clock.advance(2_000);
    expect((await shop.create(fields('🧾'))).status).toBe(201);
  });

  it('takes no more bytes from all keys of a merchant in one mode than a day’s', async () => {
    shop = await app.merchant();
    await app.get(RateLimiter).take('bytes', `${shop.merchantId} test`, 96_000);
    const refused = await (await app.key(shop.merchantId)).create();
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(limits(refused).policy).toBe('"bytes";q=96000;w=86400');
    expect((await read(shop)).status).toBe(404);
    expect((await (await app.key(shop.merchantId, { mode: 'live' })).create()).status).not.toBe(
      429,
    );
    app.clock.advance(1_000);
    expect((await shop.create()).status).toBe(201);
  });

  it('limits payment pages by address', async () => {
    const page = `/pay/${'x'.repeat(32)}`;
    const visit = () => fetch(app.url + page);
    for (let i = 0; i < 4; i++) expect((await visit()).status).toBe(404);
    const refused = await visit();
    expect(refused.status).toBe(429);
    expect(refused.headers.get('content-type')).toMatch('text/html');
    expect(refused.headers.get('retry-after')).toBe('15');
    expect(refused.headers.get('ratelimit')).toBe('"pages";r=0;t=60');
    app.clock.advance(15_000);
    expect((await visit()).status).toBe(404);
  });

  it('leaves other public routes alone', async () => {
    for (let i = 0; i < 10; i++) {
      const answer = await fetch(`${app.url}/health/live`);
      expect(answer.status).toBe(200);
      expect(answer.headers.has('ratelimit')).toBe(false);
    }
  });

  it('counts each kind of public page alone', async () => {
    const { paymentPageUrl } = await (await app.merchant()).order();
    const kinds = [`${paymentPageUrl}/events`, '/sandbox-bank/x', '/docs/openapi.json'];
    app.clock.advance(60_000);
    for (const kind of kinds) {
      const url = new URL(kind, app.url);
      const ask = async (): Promise<Response> => {
        const answer = await fetch(url);
        await answer.body?.cancel();
        return answer;
      };
      for (let i = 0; i < 4; i++) expect((await ask()).status).not.toBe(429);
      const refused = await ask();
      expect([kind, refused.status]).toEqual([kind, 429]);
      expect(refused.headers.get('retry-after')).toBe('15');
    }
  });

  it('lets an address load the assets of as many pages and more, in any colour', async () => {
    const load = (n: number) => fetch(`${app.url}/pay/assets/pay.css?c=${100_000 + n}`);
    for (let n = 0; n < 16; n++) expect((await load(n)).status).toBe(200);
    expect((await load(16)).status).toBe(429);
  });

  describe('for what fails', () => {
    const KEYS_A_MINUTE = 60;
    const CALLBACKS_A_MINUTE = 600;
    const guess = (): Promise<Response> =>
      fetch(`${app.url}/api/order?txid=${randomUUID()}`, {
        headers: { authorization: `Bearer pos_test_${randomBytes(32).toString('base64url')}` },
      });
    const statuses = async (count: number, ask: () => Promise<Response>): Promise<number[]> =>
      (await Promise.all(Array.from({ length: count }, ask))).map(({ status }) => status);
    const count = (all: readonly number[], status: number): number =>
      all.filter((one) => one === status).length;

    it('looks up no more guessed keys of an address than it may fail with', async () => {
      const look = jest.spyOn(app.get(ApiKeyRepository), 'findByHash');
      shop = await app.merchant();
      expect((await read(shop)).status).toBe(404);
      const seen = look.mock.calls.length;
      const answers = await statuses(100, guess);
      expect([count(answers, 401), count(answers, 429)]).toEqual([KEYS_A_MINUTE, 40]);
      expect(look.mock.calls.length - seen).toBe(KEYS_A_MINUTE);
      expect((await guess()).headers.get('retry-after')).toBe('1');
      // Who was known before goes on, also when the key is looked up again.
      app.clock.advance(6_000 - 1_000);
      expect((await read(shop)).status).toBe(404);
      look.mockRestore();
    });

    it('forgets no good key for the guesses of others', async () => {
      app.clock.advance(60_000);
      for (let i = 0; i < KEYS_A_MINUTE + 10; i++) {
        expect((await read(await app.merchant())).status).toBe(404);
      }
    });

    it('looks no more callbacks up than may fail', async () => {
      const send = (): Promise<Response> =>
        fetch(`${app.url}/provider-callback/sandbox/${randomUUID()}`, { method: 'POST' });
      // Few at once: a crowd would be sent away before it is looked at, which is no failure.
      const answers: number[] = [];
      while (answers.length < CALLBACKS_A_MINUTE + 20) answers.push(...(await statuses(5, send)));
      expect([count(answers, 404), count(answers, 429)]).toEqual([CALLBACKS_A_MINUTE, 20]);
    });
  });

  it('is silent when switched off', async () => {
    const free = await TestApp.start({ env: { RATE_LIMITS: 'off', RATE_WRITES: '1' } });
    const anyone = await free.merchant();
    for (let i = 0; i < 5; i++) {
      const created = await anyone.create();
      expect(created.status).toBe(201);
      expect(limits(created)).toEqual({ policy: null, left: null });
    }
    await free.stop();
  });
});

const limiters: RateLimiter[] = [];
const ports: RedisPort[] = [];
let warnings: unknown[] = [];

async function limiter(url: string): Promise<RateLimiter> {
  const config = readConfig({ REDIS_URL: url, RATE_WRITES: '1', RATE_PAGES: '3' });
  const made = new RateLimiter(config, new TestClock());
  limiters.push(made);
  await made.onApplicationBootstrap();
  return made;
}

async function port(target?: typeof redis): Promise<RedisPort> {
  const opened = await new RedisPort(target).open();
  ports.push(opened);
  return opened;
}

async function granted(pages: RateLimiter, owner: string, count: number): Promise<number> {
  const taken = await Promise.all(Array.from({ length: count }, () => pages.take('pages', owner)));
  return taken.filter((one) => one.granted).length;
}

describe('rate limits without an answer from Redis', () => {
  beforeAll(() => {
    const note = (...line: unknown[]): void => void warnings.push(line);
    const ignore = (): void => undefined;
    Logger.overrideLogger({ warn: note, log: ignore, error: ignore });
  });
  afterEach(async () => {
    for (const one of limiters.splice(0)) one.onApplicationShutdown();
    for (const one of ports.splice(0)) await one.close();
    warnings = [];
  });
  afterAll(() => Logger.overrideLogger(false));

  it('counts alone, and says so once', async () => {
    const closed = await port();
    await closed.close();
    const noHook = await limiter(closed.url);
    expect(await granted(noHook, randomUUID(), 10)).toBe(3);
    await sleep(1_100);
    expect(await granted(noHook, randomUUID(), 10)).toBe(3);
    expect(warnings).toHaveLength(1);
  });

  it('hardly waits for one that is silent, and not again at once', async () => {
    const noHook = await limiter((await port()).url);
    const owner = randomUUID();
    const start = performance.now();
    expect(await granted(noHook, owner, 3)).toBe(3);
    const first = performance.now();
    expect(await granted(noHook, owner, 2)).toBe(0);
    // 250 ms, and room for a machine that is busy.
    expect(first - start).toBeLessThan(1_000);
    expect(performance.now() - first).toBeLessThan(45);
  });

  it('does not ask it about what strangers fail at', async () => {
    const noHook = await limiter((await port()).url);
    const asked = jest.spyOn(RedisBuckets.prototype, 'take');
    await noHook.take('keys', 'somebody');
    expect(asked).not.toHaveBeenCalled();
    await noHook.take('pages', 'somebody');
    expect(asked).toHaveBeenCalledTimes(1);
    asked.mockRestore();
  });

  const alsoWithRedis = redis ? it : it.skip;
  alsoWithRedis('takes no busy process for a silent Redis', async () => {
    const { host, port: number } = redis!.options;
    const busy = await limiter(`redis://${host}:${number}`);
    const owner = randomUUID();
    await granted(busy, randomUUID(), 1);
    const passed = granted(busy, owner, 300);
    setImmediate(() => {
      const end = performance.now() + 600;
      while (performance.now() < end);
    });
    expect(await passed).toBe(3);
    expect(warnings).toEqual([]);
  });

  alsoWithRedis('comes back to Redis by itself', async () => {
    const way = await port(redis);
    const [near, far] = [await limiter(way.url), await limiter(way.url)];
    const owner = randomUUID();
    expect(await granted(near, owner, 3)).toBe(3);
    expect(await granted(far, owner, 1)).toBe(0);

    await way.close();
    expect(await granted(near, owner, 4)).toBe(3);
    expect(await granted(far, owner, 4)).toBe(3);

    await way.open();
    const deadline = performance.now() + 10_000;
    const fresh = async (): Promise<boolean> => {
      const name = randomUUID();
      return (await granted(near, name, 3)) === 3 && (await granted(far, name, 1)) === 0;
    };
    while (!(await fresh()) && performance.now() < deadline) await sleep(100);
    expect(await fresh()).toBe(true);
  });
});

withRedis('rate limits in Redis', () => {
  let buckets: RedisBuckets;

  beforeAll(async () => {
    const { host, port: number, db } = redis!.options;
    const url = `redis://${host}:${number}/${db ?? 0}`;
    // Patient, because the machine may be busy: these tests are about the counting.
    buckets = new RedisBuckets(url, () => undefined, 10_000);
    await buckets.open();
  });
  afterAll(() => buckets.close());

  it('decides as in memory, at the times that Redis tells', async () => {
    const policies: Policy[] = [
      { rate: 7, periodMs: 100, burst: 5 },
      { rate: 100, periodMs: 1_000, burst: 3 },
    ];
    for (const policy of policies) {
      const owner = randomUUID();
      let expected: Bucket | undefined;
      for (let i = 0; i < 150; i++) {
        if (Math.random() < 0.3) await sleep(Math.random() * 40);
        const taken = await buckets.take(policy, owner);
        expected = take(policy, expected, taken.at);
        expect(taken).toEqual(expected);
      }
    }
  });

  it('grants no more than a burst to any number of requests at once', async () => {
    const policy: Policy = { rate: 1, periodMs: 60_000, burst: 20 };
    const owner = randomUUID();
    const taken = await Promise.all(Array.from({ length: 100 }, () => buckets.take(policy, owner)));
    expect(taken.filter((one) => one.granted)).toHaveLength(20);
  });

  it('keeps a key until its bucket is full', async () => {
    const policy: Policy = { rate: 10, periodMs: 1_000, burst: 5 };
    const owner = randomUUID();
    await buckets.take(policy, owner);
    await buckets.take(policy, owner);
    const key = `orders:rate:${owner}`;
    const left = await redis!.pttl(key);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(200);
    await sleep(left + 20);
    expect(await redis!.exists(key)).toBe(0);
  });

  it('knows its script again after Redis forgot it', async () => {
    const policy: Policy = { rate: 1, periodMs: 60_000, burst: 2 };
    const owner = randomUUID();
    await buckets.take(policy, owner);
    await redis!.script('FLUSH');
    const [second, third] = [await buckets.take(policy, owner), await buckets.take(policy, owner)];
    expect([second.granted, third.granted]).toEqual([true, false]);
  });
});
