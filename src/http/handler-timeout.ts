import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isFileArriving } from './file-form.js';
import { Problem, unavailable } from './problems/problem.js';
import type { RequestStep } from './request-steps.js';

/** Milliseconds until a handler must answer, or hijack the reply. */
const LIMIT_MS = 30_000;
/** Milliseconds for a complete body, or for a form up to its file. */
const RECEIVE_MS = 10_000;
/** Milliseconds for a file and its answer. */
export const FILE_MS = 600_000;
const CHECK_MS = 1_000;
/** Milliseconds and bytes for the rest of a body after its answer. */
const REST_MS = 1_000;
const REST_BYTES = 64_000;
const REST_CHECK_MS = 20;

/**
 * Answers requests whose handler takes too long, and disconnects senders that are slow or go on after the answer. Uses
 * one timer for all requests, since one per request costs more than most handlers.
 * @returns step that starts the time of a request
 */
export function handlerTimeout(
  fastify: FastifyInstance,
  { limitMs = LIMIT_MS, receiveMs = RECEIVE_MS, checkMs = CHECK_MS } = {},
): RequestStep {
  /** Start of each request (monotonic ms), the oldest first. */
  const waiting = new Map<FastifyReply, number>();
  const problemOf = ({ request }: FastifyReply, ms: number): Problem | undefined => {
    const fileForm = takesFile(request);
    if (ms >= (fileForm ? FILE_MS : limitMs)) return unavailable('The answer has taken too long.');
    const isInTime = request.raw.complete || (fileForm && isFileArriving(request.raw));
    return isInTime ? undefined : new Problem('request_timeout');
  };
  const timer = setInterval(() => {
    const now = performance.now();
    for (const [reply, since] of waiting) {
      if (now - since < Math.min(limitMs, receiveMs)) return;
      const problem = problemOf(reply, now - since);
      if (!problem) continue;
      waiting.delete(reply);
      if (problem.code === 'request_timeout') void reply.header('connection', 'close');
      if (!reply.sent) void reply.send(problem);
    }
  }, checkMs).unref();
  fastify.addHook('onResponse', (request, reply, done) => {
    waiting.delete(reply);
    if (!request.raw.complete && !takesFile(request)) limitRest(request.raw);
    done();
  });
  fastify.addHook('onClose', (_fastify, done) => {
    clearInterval(timer);
    done();
  });
  return (_request, reply) => {
    waiting.set(reply, performance.now());
    return undefined;
  };
}

const takesFile = ({ routeOptions }: FastifyRequest): boolean =>
  (routeOptions.config as { fileForm?: boolean }).fileForm === true;

/** Disconnects a sender that goes on after the answer: Node.js would read and drop everything. */
function limitRest(request: IncomingMessage): void {
  const { socket } = request;
  const end = performance.now() + REST_MS;
  const bytesMax = socket.bytesRead + REST_BYTES;
  const timer = setInterval(() => {
    const isOver = performance.now() > end || socket.bytesRead > bytesMax;
    if (!request.complete && !socket.destroyed && !isOver) return;
    clearInterval(timer);
    if (!request.complete) request.destroy();
  }, REST_CHECK_MS).unref();
}
