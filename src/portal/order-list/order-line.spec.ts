import { describe, expect, it } from '@jest/globals';
import type { ListedOrder } from '../../database/read-models/order-list/order-list.statements.js';
import { initials, lineOf } from './order-line.js';

const row = {
  customerName: 'Erika Mustermann',
  customerEmail: 'erika@mail.example',
  payment: {
    provider: 'sandbox',
    payerAccountNumber: 'DE89370400440532013000',
    payerAccountType: 'iban',
    payerAccountName: 'Max van der Berg Alt',
  },
} as unknown as ListedOrder;

describe(lineOf.name, () => {
  it('shows the people of an order as far as the reader may know them', () => {
    expect(lineOf(row, 'full')).toEqual({
      provider: 'sandbox',
      payerAccount: 'DE89 3704 0044 0532 0130 00',
      payerName: 'Max van der Berg Alt',
      customerName: 'Erika Mustermann',
      customerEmail: 'erika@mail.example',
    });
    expect(lineOf(row, 'masked')).toEqual({
      provider: 'sandbox',
      payerAccount: 'DE•••• 3000',
      payerName: 'M. v. d.',
      customerName: 'E. M.',
      customerEmail: 'e••••@mail.example',
    });
    expect(lineOf(row, 'none')).toEqual({
      provider: 'sandbox',
      payerAccount: 'hidden',
      payerName: 'hidden',
      customerName: 'hidden',
      customerEmail: 'hidden',
    });
  });

  it.each(['full', 'masked', 'none'] as const)('shows nothing of nobody: %s', (visibility) => {
    const nobody = { ...row, customerName: null, customerEmail: '', payment: null };
    expect(lineOf(nobody, visibility)).toEqual({
      provider: null,
      payerAccount: null,
      payerName: null,
      customerName: null,
      customerEmail: null,
    });
  });
});

describe(initials.name, () => {
  it('takes whole characters', () => {
    expect(initials('  𝒜lice   Öz ')).toBe('𝒜. Ö.');
    expect(initials(' ')).toBe('');
  });
});
