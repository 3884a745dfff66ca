import { describe, expect, it } from '@jest/globals';
import { readIban } from '../../common/money/iban.js';
import { debtorIn, messageIdOf, TEST_DEBTOR } from './test-file.js';

const PLATFORM = { name: 'Platform Ltd', iban: 'DE89370400440532013000', bic: null };
const ID = '019aa2f0-7c00-7000-8000-0123456789ab';

describe('a bank file of test mode', () => {
  it('names no account that is one', () => {
    expect(debtorIn('live', PLATFORM)).toBe(PLATFORM);
    expect(debtorIn('test', PLATFORM)).toBe(TEST_DEBTOR);
    expect(readIban(TEST_DEBTOR.iban)).toBeNull();
    // The schema takes it all the same, so that programs can read the file.
    expect(TEST_DEBTOR.iban).toMatch(/^[A-Z]{2}[0-9]{2}[a-zA-Z0-9]{1,30}$/);
  });

  it('says so in its identifier, which a bank has room for', () => {
    expect(messageIdOf('live', ID)).toBe('019aa2f07c00700080000123456789ab');
    expect(messageIdOf('test', ID)).toBe('TEST019aa2f07c00700080000123456789a');
    expect(messageIdOf('test', ID)).toHaveLength(35);
  });
});
