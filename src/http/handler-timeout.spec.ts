import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fastify from 'fastify';
import { handlerTimeout } from './handler-timeout.js';
import { Problem } from './problems/problem.js';
import { useRequestSteps } from './request-steps.js';

const LIMIT = { limitMs: 60, checkMs: 10 };

describe(handlerTimeout.name, () => {
  const server = fastify();
  useRequestSteps(server, (_request, begin) => begin(), [handlerTimeout(server, LIMIT)]);
  server.setErrorHandler(async (error, _request, reply) => {
    if (!(error instanceof Problem)) throw error;
    return reply.status(error.status).headers(error.headers).send(error.code);
  });
  server.get('/quick', async () => 'quick');
  server.get('/slow', () => sleep(3 * LIMIT.limitMs, 'slow'));
  server.get('/never', () => new Promise(() => undefined));

  it('answers for handlers that do not, and not for those that do', async () => {
    const [quick, slow, never] = await Promise.all(
      ['/quick', '/slow', '/never'].map((url) => server.inject(url)),
    );
    expect(quick!.body).toBe('quick');
    for (const late of [slow!, never!]) {
      expect([late.statusCode, late.body]).toEqual([503, 'unavailable']);
      expect(late.headers['retry-after']).toBeDefined();
    }
    // What the slow handler says in the end reaches nobody, and hurts nobody.
    await sleep(3 * LIMIT.limitMs);
    expect((await server.inject('/quick')).body).toBe('quick');
  });
});

describe('a body that goes on after the answer', () => {
  const server = fastify();
  useRequestSteps(server, (_request, begin) => begin(), [handlerTimeout(server, { checkMs: 10 })]);
  server.get('/quick', async () => 'quick');
  beforeAll(() => server.listen({ host: '127.0.0.1', port: 0 }));
  afterAll(() => server.close());

  const opened = async (): Promise<Socket> => {
    const { port } = server.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  };
  const closed = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve));
  const HEAD = 'HTTP/1.1\r\nHost: shop.example\r\n';

  it.each(['/quick', '/unknown'])('is neither read nor waited for: %s', async (path) => {
    const socket = (await opened()).resume();
    const start = performance.now();
    socket.write(`GET ${path} ${HEAD}Transfer-Encoding: chunked\r\n\r\n`);
    const chunk = `10000\r\n${'a'.repeat(0x10000)}\r\n`;
    const more = () => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.on('drain', more);
    more();
    await closed(socket);
    expect(performance.now() - start).toBeLessThan(900);
  });

  it('ends the connection of a slow sender', async () => {
    const socket = (await opened()).resume();
    socket.write(`POST /unknown ${HEAD}Content-Length: 100\r\n\r\n`);
    const timer = setInterval(() => socket.write('a'), 100);
    await closed(socket);
    clearInterval(timer);
    expect(socket.bytesWritten).toBeLessThan(150);
  });

  it('leaves the connection open for the next request, once it is complete', async () => {
    const socket = await opened();
    const answers: string[] = [];
    socket.on('data', (data) => answers.push(...data.toString().match(/^HTTP\/1.1 \d+/gm)!));
    const body = 'a'.repeat(60_000);
    socket.write(`POST /unknown ${HEAD}Content-Length: ${body.length}\r\n\r\n${body.slice(1)}`);
    await sleep(50);
    socket.write('a');
    await sleep(1_500);
    socket.write(`GET /quick ${HEAD}Connection: close\r\n\r\n`);
    await closed(socket);
    expect(answers).toEqual(['HTTP/1.1 404', 'HTTP/1.1 200']);
  });
});
