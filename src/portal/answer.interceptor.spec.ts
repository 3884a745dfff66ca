import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import fastify from 'fastify';
import { lastValueFrom, of } from 'rxjs';
import type { ExportFile } from '../exports/export-stream.service.js';
import { AnswerInterceptor } from './answer.interceptor.js';
import { json, page, type PageAnswer, seeOther } from './kit/answer.js';

/** What a browser gets of what a handler returns. */
async function sent(answer: PageAnswer | ExportFile) {
  const app = fastify();
  app.get('/', (request, reply) => {
    const context = new ExecutionContextHost([request, reply]);
    const next = { handle: () => of(answer) };
    return lastValueFrom(new AnswerInterceptor().intercept(context, next));
  });
  return app.inject('/');
}

describe('AnswerInterceptor', () => {
  it('sends a page with its status and headers', async () => {
    const { statusCode, headers, body } = await sent(page('<p>Not so</p>', 422));
    expect({ statusCode, body }).toEqual({ statusCode: 422, body: '<p>Not so</p>' });
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-robots-tag': 'noindex, nofollow',
    });
  });

  it('leads on without a body, and nobody keeps that', async () => {
    const { statusCode, headers, body } = await sent(seeOther('/portal?done=saved'));
    expect({ statusCode, body }).toEqual({ statusCode: 303, body: '' });
    expect(headers).toMatchObject({ location: '/portal?done=saved', 'cache-control': 'no-store' });
  });

  it('writes an object as JSON', async () => {
    const answer = await sent(json({ count: 3 }));
    expect(answer.headers['content-type']).toContain('application/json');
    expect(answer.json()).toEqual({ count: 3 });
  });

  it('streams a file past the framework', async () => {
    const file = {
      filename: 'orders.csv',
      contentType: 'text/csv',
      stream: Readable.from(['a\n', 'b\n']),
    };
    const { statusCode, headers, body } = await sent(file);
    expect({ statusCode, body }).toEqual({ statusCode: 200, body: 'a\nb\n' });
    expect(headers).toMatchObject({
      'content-type': 'text/csv',
      'content-disposition': 'attachment; filename="orders.csv"',
      'cache-control': 'no-store',
    });
  });
});
