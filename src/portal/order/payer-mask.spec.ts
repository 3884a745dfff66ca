import { describe, expect, it } from '@jest/globals';
import type { OrderWithPayment } from '../../database/entities/order.entity.js';
import type { Role } from '../roles.js';
import { orderSight, seenOrder } from './payer-mask.js';

const order = {
  txid: 't',
  customerName: 'Jo Ortega',
  customerEmail: 'jo@mail.example',
  payment: {
    id: 'p',
    payerAccountNumber: 'DE89370400440532013000',
    payerAccountType: 'iban',
    payerAccountName: 'Erika Mustermann',
  },
} as OrderWithPayment;

describe(orderSight.name, () => {
  it.each<[Role, 'test' | 'live', string, string]>([
    ['owner', 'live', 'masked', 'full'],
    ['finance', 'live', 'masked', 'full'],
    ['support', 'live', 'masked', 'masked'],
    ['viewer', 'live', 'masked', 'masked'],
    ['developer', 'live', 'none', 'none'],
    ['developer', 'test', 'full', 'full'],
    ['viewer', 'test', 'masked', 'masked'],
  ])('%s in %s: payer %s, customer %s', (role, mode, payer, customer) => {
    expect(orderSight(role, mode, false)).toEqual({ payer, customer });
  });

  it('is full once the payer was asked for', () => {
    expect(orderSight('support', 'live', true)).toEqual({ payer: 'full', customer: 'full' });
  });
});

describe(seenOrder.name, () => {
  it('leaves all of it, or the end of an account and initials, or nothing', () => {
    expect(seenOrder(order, { payer: 'full', customer: 'full' })).toEqual(order);
    expect(seenOrder(order, { payer: 'masked', customer: 'masked' })).toEqual({
      txid: 't',
      customerName: 'J. O.',
      customerEmail: 'j••••@mail.example',
      payment: {
        id: 'p',
        payerAccountNumber: 'DE•••• 3000',
        payerAccountType: 'iban',
        payerAccountName: 'E. M.',
      },
    });
    const nothing = { payerAccountNumber: null, payerAccountType: null, payerAccountName: null };
    expect(seenOrder(order, { payer: 'none', customer: 'none' })).toEqual({
      txid: 't',
      customerName: null,
      customerEmail: null,
      payment: { id: 'p', ...nothing },
    });
  });

  it('takes an order that nobody has paid', () => {
    const unpaid = { ...order, payment: null };
    expect(seenOrder(unpaid, { payer: 'masked', customer: 'full' })).toEqual(unpaid);
  });
});
