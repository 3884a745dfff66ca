import { describe, expect, it } from '@jest/globals';
import { startAtPage } from './support/bank.js';
import { fastestOfWaits } from './support/fastest.js';
import { sendRaw } from './support/raw.js';
import { openShop } from './support/shop.js';

/** Forms of 64 kB; decoding the first takes 70 ms. */
const FORMS = ['%ff&'.repeat(16_000), 'a&'.repeat(32_000)];
const FORM_MS_MAX = 25;
/** 14 kB; decoding them takes 10 ms, and 40 ms in a test. Reading them takes less than one. */
const COOKIES = Array.from({ length: 1_600 }, (_, at) => `c${at}=%ff`)
  .join(';')
  .slice(0, 14_000);
const COOKIES_MS_MAX = 15;

const { app, shop } = await openShop();
const order = await shop.order();
const bankPage = new URL((await startAtPage(order)).headers.get('location')!).pathname;

const post = (path: string, body: string) =>
  sendRaw(
    app.url,
    `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${shop.secret}\r\n` +
      `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );

describe('a form with too many fields', () => {
  it.each([
    [413, '/portal/sign-in'],
    [413, `${new URL(order.paymentPageUrl).pathname}/start`],
    [413, bankPage],
    [415, '/api/order'],
    [404, '/nothing'],
    [404, `/pay/${'a'.repeat(32)}/start`],
    [404, `/notification-recipient/${'a'.repeat(32)}/confirm`],
  ])('is answered with %i without decoding it: %s', async (status, path) => {
    for (const form of FORMS) {
      const took = await fastestOfWaits(async () => {
        expect((await post(path, form)).status).toBe(status);
      });
      expect(took).toBeLessThan(FORM_MS_MAX);
    }
  });
});

describe('cookies that cannot be decoded', () => {
  it.each(['/health/live', '/portal/sign-in', new URL(order.paymentPageUrl).pathname])(
    'cost nothing: %s',
    async (path) => {
      const get = (cookie: string) => async () => {
        const reply = await fetch(app.url + path, { headers: { cookie } });
        await reply.text();
        expect(reply.status).toBe(200);
      };
      await get('a=b')();
      const without = await fastestOfWaits(get('a=b'));
      expect((await fastestOfWaits(get(COOKIES))) - without).toBeLessThan(COOKIES_MS_MAX);
    },
  );
});
