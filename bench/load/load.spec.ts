import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Load } from './load.js';
import { bytesOf } from './request.js';

describe('load', () => {
  const stack = new AsyncDisposableStack();
  const heard: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (bytes: Buffer) => (body += bytes.toString()));
    request.on('end', () => {
      heard.push(`${request.method} ${request.url} ${body}`.trim());
      const answer = (): void => {
        const status = request.url === '/bad' ? 500 : 200;
        response.writeHead(status, { 'content-length': 4 }).end('said');
      };
      setTimeout(answer, request.url === '/slow' ? 30 : 0);
    });
  });
  let load: Load;
  let port: number;

  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
    load = Load.start(stack);
  });
  afterAll(async () => {
    await stack.disposeAsync();
    server.closeAllConnections();
    server.close();
  });

  const asking = (paths: readonly string[], more: object = {}) => {
    heard.length = 0;
    const requests = paths.map((path) => bytesOf({ method: 'GET', path }));
    const plan = { port, connections: 2, seconds: 0.1, requests, circular: false, expected: 200 };
    return load.rush({ ...plan, ...more });
  };

  it('asks each question once and counts the answers', async () => {
    const { requests } = await asking(['/1', '/2', '/3']);
    expect(requests).toBe(3);
    expect(heard.toSorted()).toEqual(['GET /1', 'GET /2', 'GET /3']);
  });

  it('begins anew until the time is over, and takes the time', async () => {
    const { requests, seconds, p50Ms, cpuMs } = await asking(['/slow'], { circular: true });
    expect(requests).toBe(heard.length);
    expect(requests).toBeGreaterThan(2);
    expect(seconds).toBeGreaterThanOrEqual(0.1);
    expect(p50Ms).toBeGreaterThanOrEqual(29);
    expect(cpuMs).toBeGreaterThan(0);
  });

  it('sends bodies whole', async () => {
    const body = '{"name":"Jörg"}';
    const requests = [bytesOf({ method: 'POST', path: '/', body })];
    await asking([], { requests });
    expect(heard).toEqual([`POST / ${body}`]);
  });

  it('fails when an answer is not the expected one', async () => {
    await expect(asking(['/1', '/bad', '/bad'])).rejects.toThrow('expected 200, got 2 × 500 said');
  });

  it('fails when nobody is there', async () => {
    await expect(asking(['/1'], { port: 1 })).rejects.toThrow('ECONNREFUSED');
  });
});
