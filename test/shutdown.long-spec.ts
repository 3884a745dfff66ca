import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './support/app.js';
import { Client, newOrder } from './support/client.js';
import { createDatabase, onPostgres, type TestDatabase } from './support/database.js';
import { FaultProxy } from './support/fault-proxy.js';
import { Program, removeFolder, temporaryFolder } from './support/program.js';
import { until } from './support/race.js';

/** Milliseconds that a stop may take. */
const LIMIT = 10_000;

/** Mistakes that a signal makes in the running program, for they are not known beforehand. */
const MISTAKES = `
  process.on('SIGUSR2', () => void Promise.reject(new Error('nobody waits')));
  process.on('SIGWINCH', () => { throw new Error('nobody catches'); });`;
const preloading = (code: string) => `--import=data:text/javascript,${encodeURIComponent(code)}`;
const NODE_OPTIONS = preloading(MISTAKES);

/** An application that cannot be closed. */
const FAILING_STOP = `
  import { createRequire } from 'node:module';
  const { NestApplication } = createRequire(${JSON.stringify(import.meta.url)})('@nestjs/core');
  NestApplication.prototype.close = async () => { throw new Error('nobody closes'); };`;

const withServer = onPostgres(it, 'a database goes away');

describe('a stop', () => {
  let folder: string;
  let database: TestDatabase;
  let service: Program;
  let url: string;
  let env: Record<string, string>;
  let shop: Client;

  beforeEach(async () => {
    folder = temporaryFolder();
    database = await createDatabase();
    const port = String(await freePort());
    url = `http://127.0.0.1:${port}`;
    const place = database.isPostgres ? database.url : `file:${path.join(folder, 'data')}`;
    const demoFile = path.join(folder, 'demo.json');
    env = {
      PORT: port,
      DATABASE_URL: place,
      DEMO: '1',
      DEMO_FILE: demoFile,
      NODE_OPTIONS,
    };
    service = new Program('main.js', [], env, folder);
    await service.untilReady(url);
    const { merchants } = JSON.parse(readFileSync(demoFile, 'utf8'));
    shop = new Client(url, merchants[0].apiKey, merchants[0].id, '');
  });

  afterEach(async () => {
    await service.kill();
    await database.drop();
    removeFolder(folder);
  });

  /** A request whose body is on its way: `finish` sends the rest and gives the answer. */
  async function slowOrder(agent: http.Agent) {
    const body = JSON.stringify(newOrder());
    const request = http.request(`${url}/api/order`, {
      method: 'POST',
      agent,
      headers: {
        authorization: `Bearer ${shop.secret}`,
        'content-type': 'application/json',
        'content-length': body.length,
      },
    });
    request.write(body.slice(0, 20));
    const answered = once(request, 'response') as Promise<[http.IncomingMessage]>;
    answered.catch(() => undefined);
    // Once a later request is answered, the first has reached its handler's door too.
    await sleep(100);
    await fetch(`${url}/health/live`);
    return {
      finish: async () => {
        request.end(body.slice(20));
        const [response] = await answered;
        return {
          status: response.statusCode,
          headers: response.headers,
          text: await text(response),
        };
      },
    };
  }

  it('serves on for the grace, while it tells balancers to go elsewhere', async () => {
    await service.kill();
    const grace = { ...env, SHUTDOWN_GRACE_SECONDS: '3', DEMO: '0' };
    service = new Program('main.js', [], grace, folder);
    await service.untilReady(url);
    const before = await shop.create();
    expect(before.headers.get('connection')).toBe('keep-alive');
    const start = signal();
    await until('not ready', async () => !(await fetch(`${url}/health/ready`)).ok);
    let served = 0;
    while (Date.now() - start < 2_500) {
      const order = await shop.create();
      expect([order.status, order.headers.get('connection')]).toEqual([201, 'close']);
      expect((await shop.read(order.body.txid)).status).toBe(200);
      served++;
      await sleep(50);
    }
    expect(served).toBeGreaterThan(5);
    expect((await service.result).code).toBe(0);
    expect(Date.now() - start).toBeGreaterThan(3_000);
    expect(Date.now() - start).toBeLessThan(LIMIT);
  });

  const signal = (name: NodeJS.Signals = 'SIGTERM'): number => {
    service.child.kill(name);
    return Date.now();
  };

  it('lets running requests finish, takes no new ones, and ends with 0', async () => {
    const agent = new http.Agent({ keepAlive: true });
    const [one, two] = [await slowOrder(agent), await slowOrder(agent)];
    const start = signal();
    await sleep(200);

    // Not ready at once: a 503 while the jobs end, then nobody listens any more.
    const ready = await fetch(`${url}/health/ready`).catch(() => undefined);
    expect(ready?.status ?? 503).toBe(503);

    const first = await one.finish();
    expect(first.status).toBe(201);
    expect(first.headers.connection).toBe('close');
    expect((await two.finish()).status).toBe(201);

    const { code, err } = await service.result;
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(Date.now() - start).toBeLessThan(LIMIT);
    agent.destroy();
  });

  it('answers 503 to a request that comes on a connection from before', async () => {
    const agent = new http.Agent();
    const slow = await slowOrder(agent);
    const socket = net.connect(Number(new URL(url).port), '127.0.0.1');
    // Half of a request's head keeps the connection open until the rest comes.
    socket.write('GET /api/order?txid=x HTTP/1.1\r\nHost: localhost\r\n');
    await fetch(`${url}/health/live`);
    signal();
    await sleep(500);
    socket.end(`Authorization: Bearer ${shop.secret}\r\n\r\n`);
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1.1 503 /);
    expect(answer).toMatch(/^connection: close\r$/im);
    expect(answer).toMatch(/^retry-after: \d+\r$/im);
    expect(answer).toContain('"code":"unavailable"');
    expect((await slow.finish()).status).toBe(201);
    expect((await service.result).code).toBe(0);
    agent.destroy();
  });

  it('does not wait for a connection that was never used', async () => {
    const socket = net.connect(Number(new URL(url).port), '127.0.0.1');
    await once(socket, 'connect');
    await fetch(`${url}/health/live`);
    const start = signal();
    socket.resume();
    await once(socket, 'close');
    expect((await service.result).code).toBe(0);
    expect(Date.now() - start).toBeLessThan(LIMIT / 2);
  });

  it('ends open event streams', async () => {
    const order = await shop.order();
    const stream = await fetch(`${order.paymentPageUrl}/events`);
    const start = signal();
    expect(await stream.text()).toContain('event: status');
    expect((await service.result).code).toBe(0);
    expect(Date.now() - start).toBeLessThan(LIMIT);
  });

  it('does not wait longer than 10 seconds for a request that never ends', async () => {
    const agent = new http.Agent();
    await slowOrder(agent);
    const start = signal();
    const { code, out } = await service.result;
    expect(code).toBe(0);
    expect(Date.now() - start).toBeLessThan(LIMIT + 500);
    expect(Date.now() - start).toBeGreaterThan(1_000);
    expect(out).toContain('stopped before all requests and jobs had finished');
    agent.destroy();
  });

  it.each([
    ['a rejection', 'SIGUSR2', 'unhandledRejection', 'nobody waits'],
    ['an exception', 'SIGWINCH', 'uncaughtException', 'nobody catches'],
  ] as const)(
    'follows %s that nobody handles, and ends with 1',
    async (_, name, origin, message) => {
      const agent = new http.Agent({ keepAlive: true });
      const running = await slowOrder(agent);
      const start = signal(name);
      await sleep(200);
      const ready = await fetch(`${url}/health/ready`).catch(() => undefined);
      expect(ready?.status ?? 503).toBe(503);
      expect((await running.finish()).status).toBe(201);
      const { code, out, err } = await service.result;
      expect({ code, err }).toEqual({ code: 1, err: '' });
      expect(Date.now() - start).toBeLessThan(LIMIT);
      const lines = out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      const [fatal, ...more] = lines.filter(({ level }) => level === 60);
      expect(more).toEqual([]);
      expect(fatal).toMatchObject({
        event: 'process.unhandled_error',
        origin,
        err: { message, stack: expect.stringContaining('at ') },
      });
      agent.destroy();
    },
  );

  it('follows mistakes within 10 seconds, however many there are', async () => {
    const agent = new http.Agent();
    await slowOrder(agent);
    const start = signal('SIGUSR2');
    await sleep(200);
    signal('SIGWINCH');
    const { code, out } = await service.result;
    expect(code).toBe(1);
    expect(Date.now() - start).toBeLessThan(LIMIT + 500);
    expect(out).toContain('nobody catches');
    agent.destroy();
  });

  it('comes with the end of a terminal, too, and opens no debugger', async () => {
    signal('SIGUSR1');
    await sleep(500);
    expect((await shop.create()).status).toBe(201);
    signal('SIGHUP');
    const { code, out, err } = await service.result;
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('"signal":"SIGHUP"');
  });

  withServer('ends in time and in order though the database is gone', async () => {
    await service.kill();
    const { hostname, port } = new URL(database.url);
    const proxy = await FaultProxy.start(hostname, Number(port || 5432));
    const DATABASE_URL = proxy.through(database.url);
    service = new Program('main.js', [], { ...env, DATABASE_URL, DEMO: '0' }, folder);
    await service.untilReady(url);
    await proxy.become('refuses');
    const start = signal();
    const { code, out, err } = await service.result;
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(Date.now() - start).toBeLessThan(LIMIT);
    expect(out).not.toContain('unhandled error');
  });

  it('that fails says why, at once, and ends with 1', async () => {
    await service.kill();
    const failing = { ...env, DEMO: '0', NODE_OPTIONS: preloading(FAILING_STOP) };
    service = new Program('main.js', [], failing, folder);
    await service.untilReady(url);
    const start = signal();
    const { code, out, err } = await service.result;
    expect({ code, err }).toEqual({ code: 1, err: '' });
    expect(Date.now() - start).toBeLessThan(LIMIT / 2);
    const fatal = out.split('\n').filter((line) => line.includes('"level":60'));
    expect(fatal.map((line) => JSON.parse(line))).toMatchObject([
      {
        msg: 'shutdown failed',
        err: { message: 'nobody closes', stack: expect.stringContaining('at ') },
      },
    ]);
  });

  it('says little while it starts, and that it stops', async () => {
    await service.kill('SIGTERM');
    const { out } = await service.result;
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const messages = lines.filter(({ context }) => context !== 'http').map(({ msg }) => msg);
    expect(messages.at(-1)).toBe('stopping');
    expect(messages.length).toBeLessThanOrEqual(6);
    expect(messages).toEqual(expect.arrayContaining(['starting', 'listening']));
    expect(out).not.toContain(shop.secret);
  });
});
