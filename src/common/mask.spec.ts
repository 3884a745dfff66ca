import { describe, expect, it } from '@jest/globals';
import { maskAccount } from './mask.js';

describe(maskAccount.name, () => {
  it.each([
    ['DE89370400440532013000', 'iban', 'DE•••• 3000'],
    ['DE89 3704 0044 0532 0130 00', 'iban', 'DE•••• 3000'],
    ['123456789', 'domestic', '•••• 6789'],
    ['1234567', 'domestic', '••••'],
    ['•••• 4242', 'masked_card', '•••• 4242'],
    ['erika@example.com', 'email', 'e••••@example.com'],
    ['@example.com', 'email', '••••@example.com'],
    ['erika@example.com', 'unknown', 'e••••@example.com'],
    ['wallet-0123456789', 'wallet', '•••• 6789'],
    ['👛👛👛👛👛👛👛👛', null, '•••• 👛👛👛👛'],
  ] as const)('%s (%s) is %s', (account, type, masked) => {
    expect(maskAccount(account, type)).toBe(masked);
  });
});
