import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { NoAnswerError, withTimeout } from './timeout.js';

const PATIENCE_MS = 30;

/** Nothing else happens in this process meanwhile. */
function beBusy(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('withTimeout', () => {
  it('gives the answer, or its error', async () => {
    expect(await withTimeout(Promise.resolve(1), PATIENCE_MS)).toBe(1);
    const failed = withTimeout(Promise.reject(new Error('broken')), PATIENCE_MS);
    await expect(failed).rejects.toThrow('broken');
  });

  it('gives up when nothing comes', async () => {
    const silent = new Promise(() => undefined);
    await expect(withTimeout(silent, PATIENCE_MS)).rejects.toThrow(NoAnswerError);
  });

  it('takes an answer that came while the process was busy', async () => {
    const server = createServer((socket) => socket.end('here')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    const answer = withTimeout(once(socket, 'data').then(String), PATIENCE_MS);
    setImmediate(() => beBusy(3 * PATIENCE_MS));
    expect(await answer).toBe('here');
    server.close();
  });
});
