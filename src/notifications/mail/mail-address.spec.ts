import { describe, expect, it } from '@jest/globals';
import { mailAddress } from './mail-address.js';

describe(mailAddress.name, () => {
  it.each([
    ['anna@shop.example', 'anna@shop.example'],
    ['Anna.Lee+orders@Shop.Example', 'anna.lee+orders@shop.example'],
    ["o'hara_1@mail.shop.co.uk", "o'hara_1@mail.shop.co.uk"],
    ['info@müller.example', 'info@xn--mller-kva.example'],
    ['info@例え.jp', 'info@xn--r8jz45g.jp'],
    [`${'a'.repeat(64)}@shop.example`, `${'a'.repeat(64)}@shop.example`],
  ])('takes %s', (text, address) => {
    expect(mailAddress(text)).toBe(address);
  });

  it.each([
    '',
    'anna',
    '@shop.example',
    'anna@',
    'anna@shop',
    'anna@127.0.0.1',
    'anna@[127.0.0.1]',
    'a@b@shop.example',
    'anna@shop.example,eve@evil.example',
    'anna@shop.example\r\nBcc: eve@evil.example',
    'anna\r\n@shop.example',
    'anna@shop\t.example',
    'anna@shop.example\n',
    '<anna@shop.example>',
    'Anna <anna@shop.example>',
    '"anna lee"@shop.example',
    'anna@sh%6fp.example',
    'anna..lee@shop.example',
    '.anna@shop.example',
    'ännä@shop.example',
    '\u202eanna@shop.example',
    'anna@\u202eshop.example',
    'anna@shop.example\u0000',
    '👩@shop.example',
    'anna@-shop.example',
    'anna@shop..example',
    `${'a'.repeat(65)}@shop.example`,
    `anna@${'shop.'.repeat(50)}example`,
  ])('refuses %j', (text) => {
    expect(mailAddress(text)).toBeUndefined();
  });

  it('takes no time for a long domain, whatever its characters', () => {
    const domain = Array.from({ length: 16_000 }, (_, n) => String.fromCodePoint(0x4e00 + n)).join(
      '',
    );
    const since = performance.now();
    expect(mailAddress(`anna@${domain}.example`)).toBeUndefined();
    expect(performance.now() - since).toBeLessThan(20);
  });
});
