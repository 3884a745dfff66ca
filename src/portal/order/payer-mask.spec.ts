import { describe, expect, it } from '@jest/globals';
import type { OrderWithPayment } from '../../database/orders/order.entity.js';
import type { Role } from '../../people/roles.js';
import { orderVisibility, seenOrder } from './payer-mask.js';

const payment = {
  id: 'p',
  payerAccountNumber: 'DE89370400440532013000',
  payerAccountType: 'iban',
  payerAccountName: 'Erika Mustermann',
} as const;
const order = {
  txid: 't',
  pageToken: 'token',
  customerName: 'Jo Ortega',
  customerEmail: 'jo@mail.example',
  payment,
  payments: [payment],
} as unknown as OrderWithPayment;

describe(orderVisibility.name, () => {
  it.each<[Role, 'test' | 'live', string, string, boolean]>([
    ['owner', 'live', 'masked', 'full', true],
    ['finance', 'live', 'masked', 'full', true],
    ['support', 'live', 'masked', 'masked', false],
    ['viewer', 'live', 'masked', 'masked', false],
    ['developer', 'live', 'none', 'none', true],
    ['developer', 'test', 'full', 'full', true],
    ['viewer', 'test', 'masked', 'masked', false],
  ])(
    '%s in %s: payer %s, customer %s, payment page %s',
    (role, mode, payer, customer, paymentPage) => {
      expect(orderVisibility(role, mode, false)).toEqual({ payer, customer, paymentPage });
    },
  );

  it('is full once the payer was asked for', () => {
    const people = { payer: 'full', customer: 'full' };
    expect(orderVisibility('support', 'live', true)).toEqual({ ...people, paymentPage: false });
  });
});

describe(seenOrder.name, () => {
  it('leaves all of it, or the end of an account and initials, or nothing', () => {
    const paymentPage = true;
    expect(seenOrder(order, { payer: 'full', customer: 'full', paymentPage })).toEqual(order);
    const masked = {
      id: 'p',
      payerAccountNumber: 'DE•••• 3000',
      payerAccountType: 'iban',
      payerAccountName: 'E. M.',
    };
    expect(seenOrder(order, { payer: 'masked', customer: 'masked', paymentPage })).toEqual({
      txid: 't',
      pageToken: 'token',
      customerName: 'J. O.',
      customerEmail: 'j••••@mail.example',
      payment: masked,
      payments: [masked],
    });
    const nothing = {
      id: 'p',
      payerAccountNumber: null,
      payerAccountType: null,
      payerAccountName: null,
    };
    expect(seenOrder(order, { payer: 'none', customer: 'none', paymentPage: false })).toEqual({
      txid: 't',
      pageToken: '…',
      customerName: null,
      customerEmail: null,
      payment: nothing,
      payments: [nothing],
    });
  });

  it('takes an order that nobody has paid', () => {
    const unpaid = { ...order, payment: null, payments: [] };
    const visibility = { payer: 'masked', customer: 'full', paymentPage: true } as const;
    expect(seenOrder(unpaid, visibility)).toEqual(unpaid);
  });
});
