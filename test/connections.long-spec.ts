import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from 'node:http';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { CHUNKS_MAX, Connections, UNREAD_MAX_MS } from '../src/operations/connections.js';
import { type RawReply, sendRaw } from './support/raw.js';
import { openShop } from './support/shop.js';

const EACH = 40;
const TIMEOUT_MS = 10_000;
const UNANSWERED_MAX = 4;
/** More of it than the system takes itself. */
const LARGE = '/docs/assets/swagger-ui-bundle.js';
/** What a stranger can make the service hold of it, which would be 400 MB of copies. */
const GROWTH_MAX = 40 * 1024 * 1024;

const { app } = await openShop({ env: { MAX_CONNECTIONS_PER_IP: String(EACH) } });

describe('connections', () => {
  const connections = app.get(Connections);
  const opened: Socket[] = [];
  afterEach(async () => {
    for (const socket of opened.splice(0)) socket.destroy();
    await until(() => connections.size === 0);
  });

  async function open(): Promise<Socket> {
    const { hostname, port } = new URL(app.url);
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    opened.push(socket);
    await once(socket, 'connect');
    return socket.pause();
  }

  async function until(holds: () => boolean): Promise<void> {
    const end = performance.now() + TIMEOUT_MS;
    while (!holds() && performance.now() < end) await sleep(10);
    expect(holds()).toBe(true);
  }

  const ask = (path: string, times: number): string =>
    `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(times);

  /** Without a connection that is kept. */
  const visit = (path: string): Promise<RawReply> =>
    sendRaw(app.url, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);

  it('are ended when they send too many requests ahead, of which the rest is not read', async () => {
    const before = connections.cutOff;
    const begun = jest.fn();
    const server = app.nest.getHttpServer() as Server;
    server.on('request', begun);
    const many = await open();
    many.write(ask('/health/ready', 500));
    await until(() => connections.cutOff === before + 1 && connections.size === 0);
    server.off('request', begun);
    expect(begun).toHaveBeenCalledTimes(UNANSWERED_MAX + 1);
    const few = await open();
    few.write(ask('/health/ready', UNANSWERED_MAX));
    few.resume();
    let text = '';
    few.on('data', (chunk) => (text += String(chunk)));
    await until(() => text.split('HTTP/1.1 200').length === UNANSWERED_MAX + 1);
  });

  const chunked = (method: string, path: string, size: number, count: number): string => {
    const head = `${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
    const chunk = `${size.toString(16)}\r\n${' '.repeat(size)}\r\n`;
    return `${head}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n${chunk.repeat(count)}0\r\n\r\n`;
  };

  it.each([
    ['POST', '/api/order'],
    ['POST', '/portal/sign-in'],
    ['POST', '/provider-callback/sandbox/x'],
    ['GET', '/health/live'],
  ])('are ended when a body has thousands of chunks: %s %s', async (method, path) => {
    const before = connections.cutOff;
    const bursts = Array.from({ length: EACH - 5 }, () =>
      sendRaw(app.url, chunked(method, path, 1, 60_000)),
    );
    const live = await visit('/health/live');
    expect(live.status).toBe(200);
    expect(live.ms).toBeLessThan(1_000);
    const answers = (await Promise.all(bursts)).map(({ status }) => status);
    // An answer that does not wait for the body is sent first.
    expect(new Set(answers)).toEqual(new Set([method === 'GET' ? 200 : 0]));
    expect(connections.cutOff).toBe(before + bursts.length);
  });

  it.each([
    [1, CHUNKS_MAX - 1],
    [40, 1_500],
  ])('are kept when it has chunks of %d bytes: %d', async (size, count) => {
    const { status, body } = await sendRaw(app.url, chunked('POST', '/api/order', size, count));
    expect([status, body]).toEqual([400, expect.stringContaining('malformed_json')]);
  });

  it('share what waits for them, and are ended when they do not take it', async () => {
    expect((await visit(LARGE)).status).toBe(200);
    await until(() => connections.size === 0);
    const before = process.memoryUsage();
    const sockets = await Promise.all(Array.from({ length: EACH - 5 }, open));
    for (const socket of sockets) socket.write(ask(LARGE, UNANSWERED_MAX));
    await sleep(1_000);
    const after = process.memoryUsage();
    const growth = after.heapUsed + after.external - before.heapUsed - before.external;
    expect(growth).toBeLessThan(GROWTH_MAX);
    const now = performance.now();
    connections.cutStalled(now);
    connections.cutStalled(now + UNREAD_MAX_MS / 2);
    expect(connections.size).toBe(sockets.length);
    // A busy machine may still have sent something after the first look: then the time counts from there.
    let later = now;
    await until(() => {
      connections.cutStalled((later += UNREAD_MAX_MS));
      return connections.size === 0;
    });
  });

  it('are taken from an address up to its number, and again when some end', async () => {
    const sockets = await Promise.all(Array.from({ length: EACH + 10 }, open));
    await until(() => connections.size === EACH);
    for (const socket of sockets) socket.destroy();
    await until(() => connections.size === 0);
    expect((await visit('/health/ready')).status).toBe(200);
  });

  it('that speak no HTTP are not left half open', async () => {
    const socket = await open();
    socket.write('this is not HTTP\r\n\r\n');
    await until(() => connections.size === 0);
  });
});
