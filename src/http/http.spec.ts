import { describe, expect, it } from '@jest/globals';
import type { FastifyReply } from 'fastify';
import { type RenderedAnswer, send } from './http.js';

function sent(answer: RenderedAnswer) {
  const headers: Record<string, string> = {};
  let status = 0;
  const reply = {
    status: (code: number) => ((status = code), reply),
    type: (type: string) => ((headers['content-type'] = type), reply),
    header: (name: string, value: string) => ((headers[name] = value), reply),
  };
  const body = send(reply as unknown as FastifyReply, answer);
  return { status, headers, body };
}

describe(send.name, () => {
  it('sends bytes as they stand, and the contract they are written in', () => {
    expect(sent({ status: 200, body: '{"b":1,"a":2}', apiVersion: '1.2' })).toEqual({
      status: 200,
      headers: { 'content-type': 'application/json; charset=utf-8', 'api-version': '1.2' },
      body: '{"b":1,"a":2}',
    });
  });

  it('says where a new order is, and that an answer is a repeat', () => {
    const answer = { status: 201, body: '{}', apiVersion: '1.2.2' } as const;
    expect(sent({ ...answer, location: '/api/order/1' }).headers['location']).toBe('/api/order/1');
    expect(sent({ ...answer, replayed: true }).headers['idempotent-replayed']).toBe('true');
  });

  it('sends a remembered error as the problem that it was', () => {
    const { headers } = sent({ status: 409, body: '{}', apiVersion: '1.2.2' });
    expect(headers['content-type']).toMatch(/^application\/problem\+json/);
  });
});
