import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { NoAnswerError, withPatience } from './patience.js';

const PATIENCE_MS = 30;

/** Nothing else happens in this process meanwhile. */
function beBusy(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('withPatience', () => {
  it('gives the answer, or its error', async () => {
    expect(await withPatience(Promise.resolve(1), PATIENCE_MS)).toBe(1);
    const failed = withPatience(Promise.reject(new Error('broken')), PATIENCE_MS);
    await expect(failed).rejects.toThrow('broken');
  });

  it('gives up when nothing comes', async () => {
    const silent = new Promise(() => undefined);
    await expect(withPatience(silent, PATIENCE_MS)).rejects.toThrow(NoAnswerError);
  });

  it('takes an answer that came while the process was busy', async () => {
    const server = createServer((socket) => socket.end('here')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    const answer = withPatience(once(socket, 'data').then(String), PATIENCE_MS);
    setImmediate(() => beBusy(3 * PATIENCE_MS));
    expect(await answer).toBe('here');
    server.close();
  });
});
