import { describe, expect, it } from '@jest/globals';
import { differencesOf } from './which-order.js';

const ORDER = {
  status: 'open',
  amount: 1_000,
  amountReceived: 0,
  currency: 'EUR',
  customerName: 'Ada Lovelace',
  instructedAccount: 'DE1',
} as const;
const MONEY = { left: 1_000, line: { account: 'DE1', counterpartyName: ' ADA LOVELACE' } };

describe('what speaks against an order for a line', () => {
  it.each([
    [{}, {}, []],
    [{ customerName: null }, {}, []],
    [{ amountReceived: 400 }, {}, ['Outstanding amount: 6.00 EUR.']],
    [{ amountReceived: 400 }, { left: 600 }, []],
    [{ status: 'cancelled' }, {}, ['It no longer accepts payments.']],
    [{ instructedAccount: null }, {}, ['Its payer never received transfer details.']],
    [{ instructedAccount: 'DE2' }, {}, ['Its payer was shown another account.']],
    [{ customerName: 'Bob' }, {}, ['Payer and customer names differ.']],
  ] as const)('%j and %j: %j', (order, money, sentences) => {
    expect(differencesOf({ ...MONEY, ...money }, { ...ORDER, ...order }, 'match')).toEqual(
      sentences,
    );
  });

  it('is for a return that nothing has come', () => {
    expect(differencesOf(MONEY, ORDER, 'return')).toEqual(['It has received no payment.']);
    expect(differencesOf(MONEY, { ...ORDER, amountReceived: 1 }, 'return')).toEqual([]);
  });
});
