import { describe, expect, it } from '@jest/globals';
import { Answers } from './answers.js';

const taken = (answers: Answers, text: string) => {
  const answer = answers.take(Buffer.from(text));
  return answer && { status: answer.status, body: answer.body.toString() };
};

describe('answers', () => {
  const whole = 'HTTP/1.1 201 Created\r\nContent-Length: 5\r\n\r\nhello';

  it('are whole when all bytes that were promised are there', () => {
    expect(taken(new Answers(), whole)).toEqual({ status: 201, body: 'hello' });
  });

  it('can be cut anywhere', () => {
    for (let cut = 1; cut < whole.length; cut++) {
      const answers = new Answers();
      expect(taken(answers, whole.slice(0, cut))).toBeUndefined();
      expect(taken(answers, whole.slice(cut))).toEqual({ status: 201, body: 'hello' });
    }
  });

  it('come one after the other', () => {
    const answers = new Answers();
    expect(taken(answers, whole)?.status).toBe(201);
    expect(taken(answers, whole.replace('201', '409'))?.status).toBe(409);
  });

  it('end with their last chunk', () => {
    const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
    const chunks = ['a\r\n0123456789\r\n', '1\r\nx\r\n', '0\r\n\r\n'];
    const answers = new Answers();
    expect(taken(answers, head + chunks[0])).toBeUndefined();
    expect(taken(answers, chunks[1]!)).toBeUndefined();
    expect(taken(answers, chunks[2]!)).toEqual({ status: 200, body: chunks.join('') });
  });

  it('have no body where there is none', () => {
    expect(taken(new Answers(), 'HTTP/1.1 204 No Content\r\n\r\n')?.status).toBe(204);
  });

  it('are refused when nobody can tell where they end', () => {
    expect(() => taken(new Answers(), 'HTTP/1.1 200 OK\r\n\r\n')).toThrow('without an end');
    expect(() => taken(new Answers(), 'SSH-2.0 \r\nContent-Length: 0\r\n\r\n')).toThrow(
      'no answer',
    );
  });
});
