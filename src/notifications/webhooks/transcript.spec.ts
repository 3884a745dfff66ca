import { describe, expect, it } from '@jest/globals';
import { cutBytes, headOf, readable } from './transcript.js';

describe(readable.name, () => {
  it('keeps text and lines, and takes the sting out of controls', () => {
    expect(readable('a\tb\nc 🪑 <b>')).toBe('a\tb\nc 🪑 <b>');
    expect(readable('\u0000\u001b[31m\r\u0085')).toBe('\ufffd\ufffd[31m\ufffd\ufffd');
  });
});

describe(cutBytes.name, () => {
  it.each([
    ['abc', 3, 'abc'],
    ['abc', 2, 'ab'],
    ['aé', 3, 'aé'],
    ['aé', 2, 'a'],
    ['🪑🪑', 7, '🪑'],
    ['', 5, ''],
  ])('cuts %j at %i bytes to %j', (text, max, cut) => {
    expect(cutBytes(text, max)).toBe(cut);
  });
});

describe(headOf.name, () => {
  it('takes headers by name, or as they came over the wire', () => {
    expect(headOf('POST / HTTP/1.1', { host: 'a', 'x-b': 'c' })).toBe(
      'POST / HTTP/1.1\nhost: a\nx-b: c\n',
    );
    expect(headOf('HTTP/1.1 200 OK', ['Set-Cookie', 'a', 'Set-Cookie', 'b'])).toBe(
      'HTTP/1.1 200 OK\nSet-Cookie: a\nSet-Cookie: b\n',
    );
  });

  it('never lets a value make a line of its own or leave one', () => {
    expect(headOf('x', { a: 'b\u001bc' })).toBe('x\na: b\ufffdc\n');
  });
});
