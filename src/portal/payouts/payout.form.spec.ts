import { describe, expect, it } from '@jest/globals';
import { blankPayout, type PayoutOffer, wishIn } from './payout.form.js';

const ACCOUNT = '019aa2f0-7c00-7000-8000-000000000001';
const SECOND = '019aa2f0-7c00-7000-8000-000000000002';

const balance = (currency: string, available: number) => ({
  currency,
  available,
  onItsWay: 0,
  unexplained: 0,
});

const account = (id: string, state: 'usable' | 'unconfirmed') => ({
  id,
  holder: 'Test Shop',
  iban: 'NL91ABNA0417164300',
  usableFrom: new Date(0),
  state,
});

const offer: PayoutOffer = {
  currencyBalances: [balance('EUR', 123_400), balance('JPY', 5_000), balance('KWD', 9_000_000)],
  accounts: [account(ACCOUNT, 'usable')],
};

const read = (amount: string, currency = 'EUR') =>
  wishIn(new URLSearchParams({ currency, amount, account: ACCOUNT }), offer);

describe(wishIn.name, () => {
  it.each([
    ['12.34', 'EUR', 1_234],
    ['12,3', 'EUR', 1_230],
    ['1 234', 'EUR', 123_400],
    ['1.234,00', 'EUR', 123_400],
    // No amount of euros has three decimals, and none of yen has any.
    ['1.234', 'EUR', 123_400],
    ['1.005', 'JPY', 1_005],
    ['', 'EUR', 123_400],
    ['4000', 'JPY', 4_000],
    ['1.5', 'KWD', 1_500],
  ])('takes “%s” %s for %i minor units', (text, currency, amount) => {
    expect(read(text, currency)).toEqual({
      done: { amount, currency, bankAccountId: ACCOUNT },
    });
  });

  it.each([
    ['0', 'EUR', 'Enter an amount, for example 1234.00.'],
    ['-5', 'EUR', 'Enter an amount, for example 1234.00.'],
    ['twelve', 'JPY', 'Enter an amount, for example 5000.'],
    ['1.240', 'EUR', /^This could mean 1,240.00 EUR or 1.24 EUR\./],
    ['1.234', 'KWD', /^This could mean 1.234 KWD or 1,234.000 KWD\./],
  ])('does not guess what “%s” %s means', (text, currency, problem) => {
    expect(read(text, currency).problems?.['amount']).toEqual(expect.stringMatching(problem));
  });

  it('tells of every field at once', () => {
    const form = new URLSearchParams({ currency: 'USD', amount: 'x', account: SECOND });
    expect(Object.keys(wishIn(form, offer).problems!)).toEqual(['currency', 'account']);
  });
});

describe(blankPayout.name, () => {
  it('chooses what leaves no choice', () => {
    expect(blankPayout(offer).get('account')).toBe(ACCOUNT);
    const accounts = [account(ACCOUNT, 'usable'), account(SECOND, 'usable')];
    expect(blankPayout({ ...offer, accounts }).get('account')).toBeNull();
    const [first, second] = accounts;
    const one = [{ ...first!, state: 'unconfirmed' as const }, second!];
    expect(blankPayout({ ...offer, accounts: one }).get('account')).toBe(SECOND);
  });
});
