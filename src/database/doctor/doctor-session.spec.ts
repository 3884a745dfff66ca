import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { DoctorSession } from './doctor-session.js';

/** A server that accepts connections, and does not answer. */
const sockets: Socket[] = [];
const server = createServer((socket) => sockets.push(socket.on('error', () => undefined)));
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

it('stops connecting at once when it is closed', async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const connectionString = `postgres://a:b@127.0.0.1:${port}/c`;
  const session = new DoctorSession({ kind: 'postgres', connectionString, isPooled: false });
  const starting = session.start();
  const begun = performance.now();
  session.close();
  await expect(starting).rejects.toThrow('the session of the doctor was closed');
  expect(performance.now() - begun).toBeLessThan(1_000);
});
