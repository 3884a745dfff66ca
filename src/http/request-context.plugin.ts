import type { FastifyInstance, FastifyRequest } from 'fastify';
import { forRequest, REQUEST_BUDGET_MS, RequestContext } from '../overload/request-context.js';

const CONTEXT = Symbol('request context');

interface RequestWithContext extends FastifyRequest {
  [CONTEXT]?: RequestContext | null;
}

/**
 * Creates the context of a request after its body was read and before its guards run.
 * @param fairnessKeyOf key until a guard has identified the sender
 */
export function useRequestContext(
  fastify: FastifyInstance,
  fairnessKeyOf: (request: FastifyRequest) => string,
): void {
  fastify.decorateRequest(CONTEXT, null);
  fastify.addHook('preValidation', (request: RequestWithContext, _reply, done) => {
    const context = new RequestContext(REQUEST_BUDGET_MS, () => fairnessKeyOf(request));
    request[CONTEXT] = context;
    forRequest(done, context);
  });
  fastify.addHook('onResponse', (request: RequestWithContext, _reply, done) => {
    request[CONTEXT]?.end();
    done();
  });
}
