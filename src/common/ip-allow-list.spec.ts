import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ipAllowed, isIpRange } from './ip-allow-list.js';

describe('isIpRange', () => {
  it.each([
    '192.0.2.7',
    '192.0.2.0/24',
    '0.0.0.0/0',
    '192.0.2.7/32',
    '2001:db8::1',
    '2001:DB8::/32',
    '::/0',
    '::1/128',
    '::ffff:192.0.2.7',
    '::ffff:192.0.2.0/120',
  ])('accepts %s', (text) => {
    expect(isIpRange(text)).toBe(true);
  });

  it.each([
    '',
    '/',
    '/24',
    '192.0.2.7/',
    '192.0.2.7/33',
    '192.0.2.7/-1',
    '192.0.2.7/024',
    '192.0.2.7/ 24',
    '192.0.2.7/2e1',
    '192.0.2.7/24/8',
    '192.0.2.0/255.255.255.0',
    '192.0.2',
    '192.0.2.256',
    '192.0.02.7',
    ' 192.0.2.7',
    '192.0.2.*',
    '192.0.2.1-192.0.2.9',
    '2001:db8::/129',
    '2001:db8:::1',
    '[2001:db8::1]',
    'fe80::1%eth0',
    'localhost',
  ])('refuses %p', (text) => {
    expect(isIpRange(text)).toBe(false);
  });
});

describe('ipAllowed', () => {
  it.each([
    ['192.0.2.7', ['192.0.2.7'], true],
    ['192.0.2.8', ['192.0.2.7'], false],
    ['192.0.2.8', ['198.51.100.1', '192.0.2.0/24'], true],
    ['192.0.3.1', ['192.0.2.0/24'], false],
    ['192.0.3.1', ['192.0.2.0/23'], true],
    ['192.0.2.200', ['192.0.2.7/24'], true],
    ['203.0.113.9', ['0.0.0.0/0'], true],
    ['2001:db8::9', ['0.0.0.0/0'], false],
    ['2001:db8::9', ['2001:db8::/32'], true],
    ['2001:DB8:0:0::9', ['2001:db8::9'], true],
    ['2001:db9::9', ['2001:db8::/32'], false],
    ['2001:db8:8000::', ['2001:db8::/33'], false],
    ['2001:db8:7fff::', ['2001:db8::/33'], true],
    ['::ffff:192.0.2.7', ['192.0.2.0/24'], true],
    ['::ffff:c000:207', ['192.0.2.0/24'], true],
    ['::ffff:192.0.3.7', ['192.0.2.0/24'], false],
    ['192.0.2.7', ['::ffff:192.0.2.0/120'], true],
    ['192.0.3.7', ['::ffff:192.0.2.0/120'], false],
    ['::192.0.2.7', ['192.0.2.0/24'], false],
    ['fe80::1%eth0', ['fe80::/10'], true],
    ['fe80::1%eth0', ['2001:db8::/32'], false],
    ['192.0.2.7', [], false],
    ['192.0.2.7', ['', 'everything', '192.0.2.0/99'], false],
    ['192.0.2.7', ['everything', '192.0.2.7'], true],
    ['', ['0.0.0.0/0', '::/0'], false],
    ['unknown', ['0.0.0.0/0', '::/0'], false],
    ['192.0.2.7, 192.0.2.8', ['0.0.0.0/0'], false],
  ])('%p in %j: %p', (ip, ranges, allowed) => {
    expect(ipAllowed(ip, ranges)).toBe(allowed);
    expect(ipAllowed(ip, ranges)).toBe(allowed);
  });

  it('agrees with the first bits of every IPv4 address', () => {
    const address = fc.nat(0xffffffff);
    const write = (value: number) =>
      [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');
    fc.assert(
      fc.property(address, fc.nat(32), fc.nat(31), (base, bits, flip) => {
        const other = (base ^ (1 << (31 - flip))) >>> 0;
        const ranges = [`${write(base)}/${bits}`];
        expect(ipAllowed(write(base), ranges)).toBe(true);
        expect(ipAllowed(write(other), ranges)).toBe(flip >= bits);
        expect(ipAllowed(`::ffff:${write(other)}`, ranges)).toBe(flip >= bits);
      }),
    );
  });
});
