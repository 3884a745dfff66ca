import type { Socket } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Readiness } from './readiness.js';

/** What operators ask a process that serves nothing else any more. */
const OPERATIONS = /^\/(health\/|metrics(\?|$))/;

/** From the stop signal on no connection outlives its running request; after the grace, no new work. */
export function useGracefulStop(app: NestFastifyApplication): void {
  const readiness = app.get(Readiness);
  const fastify = app.getHttpAdapter().getInstance();
  const sockets = new Set<Socket>();
  fastify.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { refusal } = readiness;
    done(refusal && !OPERATIONS.test(request.url) ? refusal : undefined);
  });
  fastify.addHook('onSend', (_request, reply, _payload, done) => {
    if (readiness.isLeaving) void reply.header('connection', 'close');
    done();
  });
  fastify.addHook('preClose', (done) => {
    // Browsers connect before they need to; the server itself would wait for a first request.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    done();
  });
}
