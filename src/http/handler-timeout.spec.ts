import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import fastify from 'fastify';
import { useHandlerTimeout } from './handler-timeout.js';
import { Problem } from './problems/problem.js';

const LIMIT = { limitMs: 60, checkMs: 10 };

describe(useHandlerTimeout.name, () => {
  const server = fastify();
  useHandlerTimeout(server, LIMIT);
  server.setErrorHandler(async (error, _request, reply) => {
    if (!(error instanceof Problem)) throw error;
    return reply.status(error.status).headers(error.headers).send(error.code);
  });
  server.get('/quick', async () => 'quick');
  server.get('/slow', () => sleep(3 * LIMIT.limitMs, 'slow'));
  server.get('/never', () => new Promise(() => undefined));

  it('answers for handlers that do not, and not for those that do', async () => {
    const [quick, slow, never] = await Promise.all(
      ['/quick', '/slow', '/never'].map((url) => server.inject(url)),
    );
    expect(quick!.body).toBe('quick');
    for (const late of [slow!, never!]) {
      expect([late.statusCode, late.body]).toEqual([503, 'unavailable']);
      expect(late.headers['retry-after']).toBeDefined();
    }
    // What the slow handler says in the end reaches nobody, and hurts nobody.
    await sleep(3 * LIMIT.limitMs);
    expect((await server.inject('/quick')).body).toBe('quick');
  });
});
