import { describe, expect, it } from '@jest/globals';
import {
  isSandboxSignature,
  sandboxSignature,
  SANDBOX_TOLERANCE_SECONDS,
} from './sandbox-signature.js';

const SECRET = 'secret';
const BODY = Buffer.from('{"id":"1"}');
const SENT = 1_767_225_600;
const at = (seconds: number): Date => new Date((SENT + seconds) * 1000);
const signature = sandboxSignature(SECRET, String(SENT), BODY);

describe(sandboxSignature.name, () => {
  it('is HMAC-SHA256 over the timestamp, a dot and the body', () => {
    // printf '1767225600.{"id":"1"}' | openssl dgst -sha256 -hmac secret
    expect(signature).toBe('8c84d1a52c62968d790bd2612fdea657174cf5ec06ce9a8da3217ac588edffe1');
  });
});

describe(isSandboxSignature.name, () => {
  it.each([0, SANDBOX_TOLERANCE_SECONDS, -SANDBOX_TOLERANCE_SECONDS])(
    'takes a good one %i seconds off',
    (off) => {
      expect(isSandboxSignature(SECRET, String(SENT), signature, BODY, at(off))).toBe(true);
    },
  );

  it.each([SANDBOX_TOLERANCE_SECONDS + 1, -SANDBOX_TOLERANCE_SECONDS - 1])(
    'refuses it %i seconds off',
    (off) => {
      expect(isSandboxSignature(SECRET, String(SENT), signature, BODY, at(off))).toBe(false);
    },
  );

  it.each<[string, string, unknown, unknown, Buffer]>([
    ['another secret', 'other', String(SENT), signature, BODY],
    ['another body', SECRET, String(SENT), signature, Buffer.from('{"id":"2"}')],
    ['another timestamp', SECRET, String(SENT + 1), signature, BODY],
    ['no signature', SECRET, String(SENT), undefined, BODY],
    ['two signatures', SECRET, String(SENT), [signature, signature], BODY],
    ['a cut signature', SECRET, String(SENT), signature.slice(0, 63), BODY],
    ['a signature in capitals', SECRET, String(SENT), signature.toUpperCase(), BODY],
    ['no timestamp', SECRET, undefined, signature, BODY],
    ['a timestamp that is no number', SECRET, 'now', signature, BODY],
    ['a negative timestamp', SECRET, `-${SENT}`, signature, BODY],
    ['a timestamp with an exponent', SECRET, '1767225600e0', signature, BODY],
  ])('refuses %s', (_, secret, timestamp, signed, body) => {
    expect(isSandboxSignature(secret, timestamp, signed, body, at(0))).toBe(false);
  });
});
