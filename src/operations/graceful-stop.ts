import type { Socket } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { RequestStep } from '../http/request-steps.js';
import { Readiness } from './readiness.js';

/** Paths for operators, served until the end. */
const OPERATIONS = /^\/(health\/|metrics(\?|$))/;

/**
 * From the stop signal on, connections close after their running request; after the grace period no new requests are
 * accepted.
 * @returns step that refuses new requests
 */
export function gracefulStop(app: NestFastifyApplication): RequestStep {
  const readiness = app.get(Readiness);
  const fastify = app.getHttpAdapter().getInstance();
  const sockets = new Set<Socket>();
  fastify.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  fastify.addHook('onSend', (_request, reply, _payload, done) => {
    if (readiness.isLeaving) void reply.header('connection', 'close');
    done();
  });
  fastify.addHook('preClose', (done) => {
    // Browsers preconnect; the server would wait for a first request.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    done();
  });
  return (request) =>
    readiness.refusal && !OPERATIONS.test(request.url) ? readiness.refusal : undefined;
}
