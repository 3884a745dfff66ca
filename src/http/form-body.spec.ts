import { describe, expect, it } from '@jest/globals';
import type { FastifyRequest } from 'fastify';
import { fastestOf } from '../../test/support/fastest.js';
import { FORM_FIELDS_MAX, FormBody, formOf } from './form-body.js';

const PARSE_MAX_MS = 20;

const requestWith = (body: unknown): FastifyRequest => ({ body }) as FastifyRequest;

describe(formOf.name, () => {
  it('decodes a form once', () => {
    const request = requestWith(new FormBody(Buffer.from('a=%C3%BC+b&a=2&c')));
    expect([...formOf(request)]).toEqual([
      ['a', 'ü b'],
      ['a', '2'],
      ['c', ''],
    ]);
    expect(formOf(request)).toBe(formOf(request));
  });

  it.each([undefined, null, { a: 1 }, Buffer.from('a=1')])('is empty for %j', (body) => {
    expect([...formOf(requestWith(body))]).toEqual([]);
  });

  it('takes 500 fields and not one more', () => {
    const fields = Array.from({ length: FORM_FIELDS_MAX }, () => 'a=1').join('&');
    expect(formOf(requestWith(new FormBody(Buffer.from(fields)))).size).toBe(FORM_FIELDS_MAX);
    const more = requestWith(new FormBody(Buffer.from(`${fields}&a=1`)));
    expect(() => formOf(more)).toThrow(expect.objectContaining({ code: 'body_too_large' }));
  });

  it.each(['%ff', '%ff'.repeat(42), `${'%ff'.repeat(20)}=${'%ff'.repeat(20)}`])(
    'decodes 500 times %s fast',
    (field) => {
      const bytes = Buffer.from(Array.from({ length: FORM_FIELDS_MAX }, () => field).join('&'));
      const took = fastestOf(() => void formOf(requestWith(new FormBody(bytes))));
      expect(took).toBeLessThan(PARSE_MAX_MS);
    },
  );
});
