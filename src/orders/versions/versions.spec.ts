import { describe, expect, it } from '@jest/globals';
import { API_VERSIONS } from '../../common/api-version.js';
import { CONTRACT_CHANGES, orderIn } from './versions.js';

const payment = {
  id: 'p',
  payerAccountNumber: 'DE89',
  payerAccountType: 'iban',
  payerAccountName: 'Erika',
};
const newest = { txid: 't', optionalFields: { a: 'b' }, payment };

describe(orderIn.name, () => {
  it('leaves the newest as it is', () => {
    expect(orderIn('1.2.2', newest)).toBe(newest);
  });

  it.each(['1.2.1', '1.2'] as const)('does not know the payer in %s', (version) => {
    expect(orderIn(version, newest)).toEqual({ ...newest, payment: { id: 'p' } });
  });

  it('does not know optional fields in 1.0', () => {
    expect(orderIn('1.0', newest)).toEqual({ txid: 't', payment: { id: 'p' } });
  });

  it.each(API_VERSIONS)('takes an order without a payment in %s', (version) => {
    expect(orderIn(version, { ...newest, payment: null })['payment']).toBeNull();
  });

  it('changes nothing in what it is given', () => {
    const before = JSON.stringify(newest);
    orderIn('1.0', newest);
    expect(JSON.stringify(newest)).toBe(before);
  });
});

describe('the changes', () => {
  it('are listed once each, newest first, and told in words', () => {
    const versions = CONTRACT_CHANGES.map(({ version }) => version);
    expect(versions).toEqual(API_VERSIONS.slice(1).toReversed());
    for (const { changes } of CONTRACT_CHANGES) expect(changes.length).toBeGreaterThan(0);
  });
});
