import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from '@jest/globals';
import { WebhookThread } from './webhook-thread.js';

const thread = new WebhookThread();
afterEach(() => thread.stop());

const ask = (port: number, signal = new AbortController().signal) =>
  thread.exchange(
    {
      url: `http://hooks.example:${port}/`,
      host: 'hooks.example',
      addresses: [{ address: '127.0.0.1', family: 4 }],
      headers: { host: 'hooks.example' },
      body: '{}',
      mode: 'test',
    },
    signal,
  );

/** A receiver in a thread of its own, which answers 204 and reports when. */
const RECEIVER = `
  const { parentPort } = require('node:worker_threads');
  const server = require('node:http').createServer((_, answer) => {
    parentPort.postMessage(Date.now());
    answer.writeHead(204).end();
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`;

async function receiver() {
  const worker = new Worker(RECEIVER, { eval: true });
  const [port] = (await once(worker, 'message')) as [number];
  return { worker, port };
}

describe(WebhookThread.name, () => {
  it('goes on while the thread of requests is busy, and so the other way round', async () => {
    const { worker, port } = await receiver();
    expect(await ask(port)).toMatchObject({ succeeded: true, statusCode: 204 });
    const heard = once(worker, 'message');
    const answer = ask(port);
    const end = Date.now() + 1_000;
    while (Date.now() < end);
    expect((await heard)[0]).toBeLessThan(end);
    expect(await answer).toMatchObject({ succeeded: true });
    await worker.terminate();
  });

  it('fails the attempts of a thread that ended, and starts another one', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const lost = ask((silent.address() as AddressInfo).port);
    await thread.stop();
    expect(await lost).toMatchObject({
      succeeded: false,
      error: expect.stringContaining('ended early'),
    });
    const { worker, port } = await receiver();
    expect(await ask(port)).toMatchObject({ succeeded: true });
    await worker.terminate();
    silent.close();
  });

  it('ends an attempt that is aborted', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const controller = new AbortController();
    const aborted = ask((silent.address() as AddressInfo).port, controller.signal);
    controller.abort();
    expect(await aborted).toMatchObject({ succeeded: false });
    silent.close();
  });

  it('reads an answer of 80,000 chunks in little time', async () => {
    const answer = `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(80_000)}`;
    const chunked = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.write(answer));
    }).listen(0, '127.0.0.1');
    await once(chunked, 'listening');
    const start = process.cpuUsage();
    for (let n = 0; n < 3; n++)
      expect(await ask((chunked.address() as AddressInfo).port)).toMatchObject({ succeeded: true });
    const { user, system } = process.cpuUsage(start);
    // Copying all chunks at each one takes 3 seconds.
    expect((user + system) / 1_000).toBeLessThan(1_000);
    chunked.close();
  });

  it('reads only so many bytes of a connection, whatever they are', async () => {
    let sent = 0;
    const flood = createServer((socket) => {
      socket.on('error', () => {});
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      const more = setInterval(() => {
        // An extension of a chunk, which is no byte of the body.
        sent += 16_384;
        socket.write(sent === 16_384 ? `5;${'x'.repeat(16_382)}` : 'x'.repeat(16_384));
      }, 1);
      socket.on('close', () => clearInterval(more));
    }).listen(0, '127.0.0.1');
    await once(flood, 'listening');
    const { succeeded, error } = await ask((flood.address() as AddressInfo).port);
    expect({ succeeded, error }).toEqual({ succeeded: false, error: expect.any(String) });
    expect(sent).toBeLessThan(8_000_000);
    flood.close();
  });
});
