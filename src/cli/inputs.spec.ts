import { describe, expect, it } from '@jest/globals';
import {
  API_VERSION,
  COLOUR,
  CONTACT_URL,
  EVENT_TYPE_LIST,
  HTTP_URL,
  ID,
  IP_RANGE,
  LAST_DAY,
  MODE,
  NAME,
  SCOPE,
  TEST_KEY,
} from './inputs.js';
import { operandsOf, Options, UsageError } from './options.js';

const ID_TEXT = '019AA2F0-7C00-7000-8000-0123456789AB';

describe('inputs', () => {
  it.each([
    [NAME, 'Café Zitrone', 'Café Zitrone'],
    [COLOUR, '#0B4F9E', '0b4f9e'],
    [CONTACT_URL, 'https://shop.example/help', 'https://shop.example/help'],
    [CONTACT_URL, 'mailto:help@shop.example', 'mailto:help@shop.example'],
    [ID, ID_TEXT, ID_TEXT.toLowerCase()],
    [IP_RANGE, '192.0.2.0/24', '192.0.2.0/24'],
    [API_VERSION, '1.0', '1.0'],
    [MODE, 'live', 'live'],
    [SCOPE, 'orders:write', 'orders:write'],
    [TEST_KEY, 'pos_test_a-B_9', 'pos_test_a-B_9'],
    [HTTP_URL, 'http://localhost:4000/hook', 'http://localhost:4000/hook'],
    [EVENT_TYPE_LIST, 'order.paid,payment.failed', 'order.paid,payment.failed'],
    [EVENT_TYPE_LIST, 'payout.paid', 'payout.paid'],
  ])('%# takes %s', (input, text, value) => {
    expect(input.parse(text)).toBe(value);
  });

  it.each([
    [NAME, 'a'.repeat(141)],
    [NAME, 'two\nlines'],
    [NAME, 'Shop \u202egnp.exe'],
    [COLOUR, '0b4f9'],
    [CONTACT_URL, 'javascript:alert(1)'],
    [CONTACT_URL, 'mailto:nobody'],
    [CONTACT_URL, 'https://a b'],
    [CONTACT_URL, `https://shop.example/${'a'.repeat(2048)}`],
    [ID, '42'],
    [IP_RANGE, '192.0.2.0/33'],
    [IP_RANGE, 'localhost'],
    [API_VERSION, '1.1'],
    [MODE, 'prod'],
    [SCOPE, 'orders'],
    [TEST_KEY, 'pos_live_abc'],
    [TEST_KEY, 'pos_test_'],
    [TEST_KEY, 'pos_test_a\nb'],
    [HTTP_URL, 'localhost:4000'],
    [HTTP_URL, 'ftp://localhost'],
    [HTTP_URL, 'http://'],
    [EVENT_TYPE_LIST, 'order.paid, order.failed'],
    [EVENT_TYPE_LIST, 'paid'],
    [LAST_DAY, '2020-01-01'],
    [LAST_DAY, '2099-02-30'],
    [LAST_DAY, '2099-1-1'],
    [LAST_DAY, 'tomorrow'],
  ])('%# refuses %s', (input, text) => {
    expect(input.parse(text)).toBeUndefined();
  });

  it('lets a key work through its whole last day', () => {
    expect(LAST_DAY.parse('2099-12-31')).toEqual(new Date('2100-01-01T00:00:00Z'));
    expect(LAST_DAY.parse(new Date().toISOString().slice(0, 10))).toBeDefined();
  });
});

describe('Options', () => {
  const options = new Options({ mode: ['test', 'live'], scope: ['orders:read', 'all'] });

  it('takes the last of an option that is given twice', () => {
    expect(options.required('mode', MODE)).toBe('live');
  });

  it('says which option is wrong or missing, and what it expects', () => {
    expect(() => options.list('scope', SCOPE)).toThrow(
      '--scope must be orders:read or orders:write',
    );
    expect(() => options.required('merchant', ID)).toThrow(UsageError);
    expect(options.optional('name', NAME)).toBeUndefined();
  });
});

describe('operands', () => {
  it('take what stands alone, one each, or all that are left', () => {
    expect(operandsOf(['FILE'], ['a'])).toEqual({ FILE: ['a'] });
    expect(operandsOf(['A', 'FILE…'], ['a', 'b', 'c'])).toEqual({ A: ['a'], FILE: ['b', 'c'] });
    const options = new Options({}, operandsOf(['FILE…'], ['b', 'c']));
    expect([options.operand('FILE'), options.operandList('FILE')]).toEqual(['c', ['b', 'c']]);
  });

  it.each([
    [['FILE'], [], 'FILE is missing.'],
    [['A', 'FILE…'], ['a'], 'FILE is missing.'],
    [['FILE'], ['a', 'b'], '"b" is one too many.'],
  ])('%j refuse %j', (names, typed, sentence) => {
    expect(() => operandsOf(names, typed)).toThrow(new UsageError(sentence));
  });
});
