import type { Socket } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Readiness, stopping } from './readiness.js';

/** From the stop signal on: no new work, and no connection outlives its running request. */
export function useGracefulStop(app: NestFastifyApplication): void {
  const readiness = app.get(Readiness);
  const fastify = app.getHttpAdapter().getInstance();
  const sockets = new Set<Socket>();
  fastify.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  fastify.addHook('onRequest', (request, _reply, done) => {
    const refused = readiness.isStopping && !request.url.startsWith('/health/');
    done(refused ? stopping() : undefined);
  });
  fastify.addHook('onSend', (_request, reply, _payload, done) => {
    if (readiness.isStopping) void reply.header('connection', 'close');
    done();
  });
  fastify.addHook('preClose', (done) => {
    // Browsers connect before they need to; the server itself would wait for a first request.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    done();
  });
}
