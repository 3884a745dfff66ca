import { describe, expect, it } from '@jest/globals';
import type { PageOrder } from './page.model.js';
import { isTakenBack, shopUrlOf } from './way-back.js';

const now = new Date('2026-11-20T13:00:00Z');

const order: PageOrder = {
  orderMerchantId: 'INV/2 0&4',
  txid: '019aa2f0-7c00-7000-8000-0123456789ab',
  status: 'paid',
  statusReason: null,
  exception: 'none',
  amount: 8990,
  amountReceived: 8990,
  currency: 'EUR',
  description: null,
  returnUrl: 'https://shop.example/thanks',
  cancelUrl: 'https://shop.example/cart',
  expiresAt: now,
  updatedAt: now,
  version: 1,
  payment: null,
  payments: [],
};
const TOLD = 'orderMerchantId=INV%2F2+0%264&txid=019aa2f0-7c00-7000-8000-0123456789ab&status=paid';

describe(shopUrlOf.name, () => {
  it.each([
    ['https://shop.example', `https://shop.example/?${TOLD}`],
    ['https://shop.example/a?b=%20c&d#e', `https://shop.example/a?b=%20c&d&${TOLD}#e`],
    ['https://shop.example/?', `https://shop.example/?${TOLD}`],
    ['https://shop.example/?txid=t&status=s&orderMerchantId', null],
  ])('tells %s what became of the order', (returnUrl, expected) => {
    expect(shopUrlOf({ ...order, returnUrl }, 'paid')).toBe(expected ?? returnUrl);
  });

  it.each(['failed', 'cancelled', 'expired'] as const)(
    'leads to another place when %s',
    (state) => {
      expect(shopUrlOf(order, state)).toMatch('https://shop.example/cart?');
      expect(shopUrlOf({ ...order, cancelUrl: null }, state)).toMatch(
        'https://shop.example/thanks?',
      );
    },
  );

  it('leads nowhere when the shop gave no address', () => {
    expect(shopUrlOf({ ...order, returnUrl: null }, 'paid')).toBeUndefined();
  });
});

describe(isTakenBack.name, () => {
  it.each([
    ['paid', 0, true],
    ['overpaid', 9.9, true],
    ['expired', 9.9, true],
    ['paid', 10, false],
    ['open', 0, false],
    ['unknown', 0, false],
    ['paid_late', 0, false],
  ] as const)('an order that is %s, after %d minutes: %s', (state, minutes, expected) => {
    expect(isTakenBack(order, state, new Date(now.getTime() + minutes * 60_000))).toBe(expected);
  });
});
