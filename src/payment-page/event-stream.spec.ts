import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type FastifyInstance, fastify } from 'fastify';
import { EventStream } from './event-stream.js';

const TIMES = { keepAlive: 10, lifetime: 100, farewell: 100 };
/** More than the buffers between two sockets of one machine hold. */
const MUCH = Buffer.alloc(8 * 1024 * 1024);
/** So long the end of a stream may take on a busy machine. */
const TIMEOUT_MS = 5_000;

describe('EventStream', () => {
  let server: FastifyInstance;
  let closed: number;
  let stream: EventStream | undefined;

  beforeEach(async () => {
    closed = 0;
    server = fastify();
    server.get('/much', () => MUCH);
    server.get('/events', (_request, reply) => {
      stream = new EventStream(reply, () => closed++, TIMES);
      stream.write('data: first\n\n');
    });
    await server.listen();
  });
  afterEach(() => server.close());

  function open(): Socket {
    const { port } = server.server.address() as AddressInfo;
    return connect(port, '127.0.0.1').on('error', () => undefined);
  }

  async function untilClosed(): Promise<void> {
    const end = performance.now() + TIMEOUT_MS;
    while (closed === 0 && performance.now() < end) await sleep(10);
  }

  it('ends in time, and with the end of the answer', async () => {
    const socket = open();
    socket.write('GET /events HTTP/1.1\r\nHost: x\r\n\r\n');
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    await once(socket, 'end');
    const text = Buffer.concat(chunks).toString();
    expect(text).toMatch(/connection: close/i);
    expect(text).toContain('data: first\n\n');
    expect(text).toContain(':\n\n');
    expect(text).toMatch(/0\r\n\r\n$/);
    socket.end();
    await untilClosed();
    expect(closed).toBe(1);
  });

  it('is cut off when its client reads nothing, also behind other answers', async () => {
    const socket = open().pause();
    const much = 'GET /much HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2);
    socket.write(`${much}GET /events HTTP/1.1\r\nHost: x\r\n\r\n`);
    await untilClosed();
    expect(closed).toBe(1);
    // Nobody may write to it any more: that would be an error that nobody expects.
    stream!.write('data: late\n\n');
    await sleep(3 * TIMES.keepAlive);
    socket.destroy();
  });

  it('is over as soon as its client is', async () => {
    const socket = open();
    socket.write('GET /events HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'data');
    socket.resetAndDestroy();
    const start = performance.now();
    await untilClosed();
    expect(closed).toBe(1);
    expect(performance.now() - start).toBeLessThan(TIMES.lifetime);
  });
});
