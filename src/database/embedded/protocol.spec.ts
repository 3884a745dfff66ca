import { describe, expect, it } from '@jest/globals';
import {
  endsIdle,
  errorResponse,
  query,
  readOpening,
  readTurn,
  readyForQuery,
  splitNotifications,
  startup,
  sync,
} from './protocol.js';

const typesOf = (messages: Buffer): string => {
  let types = '';
  for (let at = 0; at < messages.length; at += 1 + messages.readInt32BE(at + 1)) {
    types += String.fromCharCode(messages[at]!);
  }
  return types;
};

const message = (type: string, body = ''): Buffer => {
  const bytes = Buffer.from(`${type}\0\0\0\0${body}`);
  bytes.writeInt32BE(bytes.length - 1, 1);
  return bytes;
};

const opening = (code: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeInt32BE(8, 0);
  bytes.writeInt32BE(code, 4);
  return bytes;
};

describe('readTurn', () => {
  it('waits for the rest of a message', () => {
    const whole = query('SELECT 1');
    for (let length = 0; length < whole.length; length++) {
      expect(readTurn(whole.subarray(0, length))).toBeUndefined();
    }
    expect(readTurn(whole)?.length).toBe(whole.length);
  });

  it('gathers messages until one that PostgreSQL answers, and leaves what follows', () => {
    const prepared = Buffer.concat([message('P'), message('B'), message('D'), sync]);
    const turn = readTurn(Buffer.concat([prepared, query('SELECT 1')]));
    expect(turn).toMatchObject({ length: prepared.length, endsReady: true });
    expect(typesOf(turn!.messages)).toBe('PBDS');
  });

  it('knows that Flush leaves the session waiting for Sync', () => {
    expect(readTurn(message('H'))?.endsReady).toBe(false);
  });

  it('puts CopyFail behind whatever could start a COPY', () => {
    expect(typesOf(readTurn(query('COPY t FROM STDIN'))!.messages)).toBe('Qf');
    const prepared = Buffer.concat([message('B'), message('E'), sync]);
    expect(typesOf(readTurn(prepared)!.messages)).toBe('BEfS');
  });

  it('drops the rows of a refused COPY, and Terminate', () => {
    const late = ['d', 'c', 'f', 'X'].map((type) => message(type, 'row'));
    expect(typesOf(readTurn(Buffer.concat([...late, sync]))!.messages)).toBe('S');
  });

  it('refuses a length that leads backwards', () => {
    expect(() => readTurn(Buffer.from('Q\0\0\0\0'))).toThrow('malformed');
  });
});

describe('readOpening', () => {
  it('distinguishes a startup from an encryption request and anything else', () => {
    expect(readOpening(startup())).toEqual({ kind: 'startup', length: startup().length });
    expect(readOpening(opening(80877103))?.kind).toBe('encryption');
    expect(readOpening(opening(80877104))?.kind).toBe('encryption');
    expect(readOpening(opening(80877102))?.kind).toBe('unknown');
  });

  it('waits for the rest', () => {
    expect(readOpening(startup().subarray(0, 7))).toBeUndefined();
    expect(readOpening(startup().subarray(0, 9))).toBeUndefined();
  });
});

describe('endsIdle', () => {
  it('is true only when the last message says that no transaction is open', () => {
    expect(endsIdle(readyForQuery)).toBe(true);
    expect(endsIdle(message('Z', 'T'))).toBe(false);
    expect(endsIdle(message('Z', 'E'))).toBe(false);
    expect(endsIdle(Buffer.concat([readyForQuery, errorResponse('55P03', 'busy')]))).toBe(false);
    expect(endsIdle(Buffer.alloc(0))).toBe(false);
  });
});

describe('splitNotifications', () => {
  it('takes notifications out and keeps the order of the rest', () => {
    const answer = Buffer.concat([
      message('C', 'one'),
      message('A', 'first'),
      message('A', 'second'),
      readyForQuery,
    ]);
    const split = splitNotifications(answer);
    expect(split.notifications).toEqual([message('A', 'first'), message('A', 'second')]);
    expect(split.answer).toEqual(Buffer.concat([message('C', 'one'), readyForQuery]));
  });
});
