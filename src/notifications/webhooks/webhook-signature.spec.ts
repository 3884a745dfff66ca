import { describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { newWebhookSecret, signatureHeaders } from './webhook-signature.js';

const NOW = new Date();
const later = (ms: number): Date => new Date(NOW.getTime() + ms);
const ID = '019b8d8c-36c0-7000-8000-000000000001';
const BODY = '{"type":"order.paid","data":{"description":"Zwei Stühle 🪑"}}';

const secret = newWebhookSecret();
const previousSecret = newWebhookSecret();

const verify = (key: string, headers: Readonly<Record<string, string>>, body = BODY): unknown =>
  new Webhook(key).verify(body, { ...headers });

describe(newWebhookSecret.name, () => {
  it('has 32 random bytes in base64', () => {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(secret).not.toBe(previousSecret);
  });
});

describe(signatureHeaders.name, () => {
  const noHook = { secret, previousSecret: null, previousSecretUntil: null };

  it('signs id, time and body', () => {
    const headers = signatureHeaders(noHook, ID, BODY, NOW);
    expect(headers).toEqual({
      'webhook-id': ID,
      'webhook-timestamp': String(Math.floor(NOW.getTime() / 1000)),
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
    });
    expect(verify(secret, headers)).toEqual(JSON.parse(BODY));
    expect(() => verify(secret, headers, BODY.replace('Zwei', 'Drei'))).toThrow();
    expect(() => verify(secret, { ...headers, 'webhook-id': 'other' })).toThrow();
    expect(() => verify(previousSecret, headers)).toThrow();
  });

  it('knows the example that the standard’s own library is tested with', () => {
    const example = { ...noHook, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' };
    const at = new Date(1_614_265_330_000);
    const headers = signatureHeaders(
      example,
      'msg_p5jXN8AQM9LWM0D4loKWxJek',
      '{"test": 2432232314}',
      at,
    );
    expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it('signs with both secrets until the overlap has passed', () => {
    const rolling = { secret, previousSecret, previousSecretUntil: later(1) };
    const during = signatureHeaders(rolling, ID, BODY, NOW);
    expect(verify(secret, during)).toBeDefined();
    expect(verify(previousSecret, during)).toBeDefined();
    const after = signatureHeaders(rolling, ID, BODY, later(1));
    expect(verify(secret, after)).toBeDefined();
    expect(() => verify(previousSecret, after)).toThrow();
  });
});
