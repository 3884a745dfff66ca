import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RETURN_URL_LENGTH_MAX, returnUrlProblem } from './return-url.js';

const ANY = { httpsOnly: false };
const LABEL = 'a'.repeat(60);

describe('returnUrlProblem', () => {
  it.each([
    'https://shop.example.com',
    'https://shop.example.com/',
    'https://shop.example.com/thanks?order=1&items[]=2#done',
    'HTTPS://SHOP.EXAMPLE.COM/Thanks',
    'https://shop.example.com:8443/a',
    'https://192.0.2.7/a',
    'https://[2001:db8::1]:8443/a',
    'https://例え.jp/完了',
    'https://xn--r8jz45g.jp/',
    'https://shop.example.com./a',
    'https://shop.example.com/a%00b%20c%22',
    'https://shop.example.com/@user',
    'https://shop.example.com?mail=a@b.c',
    "https://shop.example.com/it's(ok),really;yes~!*$+=",
    'https://shop.example.com/a/../b',
    `https://${LABEL}.${LABEL}.${LABEL}.${LABEL}.example/`,
    'https://shop.example.com/'.padEnd(RETURN_URL_LENGTH_MAX, 'a'),
  ])('accepts %s', (url) => {
    expect(returnUrlProblem(url, { httpsOnly: true })).toBeUndefined();
  });

  it.each([
    [undefined, 'not_text'],
    [null, 'not_text'],
    [7, 'not_text'],
    [['https://shop.example.com'], 'not_text'],
    [new URL('https://shop.example.com'), 'not_text'],
    ['https://shop.example.com/'.padEnd(RETURN_URL_LENGTH_MAX + 1, 'a'), 'too_long'],
    ['', 'not_absolute'],
    ['/relative', 'not_absolute'],
    ['relative', 'not_absolute'],
    ['shop.example.com', 'not_absolute'],
    ['//evil.example', 'not_absolute'],
    ['https:', 'not_absolute'],
    ['https://', 'not_absolute'],
    ['https:///evil.example', 'not_absolute'],
    ['https://?q', 'not_absolute'],
    ['https://#f', 'not_absolute'],
    ['https:evil.example', 'not_absolute'],
    ['https:/evil.example', 'not_absolute'],
    ['javascript:alert(1)', 'not_absolute'],
    ['JaVaScRiPt:alert(1)', 'not_absolute'],
    ['javascript://shop.example.com/%0aalert(1)', 'not_absolute'],
    ['file:///etc/passwd', 'not_absolute'],
    ['blob:https://shop.example.com/1', 'not_absolute'],
    ['data:text/html,hello', 'not_absolute'],
    ['tel:+1', 'not_absolute'],
    ['ftp://shop.example.com/', 'not_absolute'],
    ['myshop://thanks', 'not_absolute'],
    ['view-source:https://shop.example.com', 'not_absolute'],
    ['httpſ://shop.example.com', 'not_absolute'],
    ['https://user:pass@shop/', 'credentials'],
    ['https://user@shop/', 'credentials'],
    ['https://@shop/', 'credentials'],
    ['https://:@shop/', 'credentials'],
    ['https://shop.example.com@evil.example/', 'credentials'],
    [' https://x', 'forbidden_character'],
    ['https://x ', 'forbidden_character'],
    ['https://shop.example.com/a b', 'forbidden_character'],
    ['https://shop\r\nX: 1', 'forbidden_character'],
    ['ht\ntps://shop.example.com', 'forbidden_character'],
    ['https://shop.example.com/\t', 'forbidden_character'],
    ['https://shop.example.com/\0', 'forbidden_character'],
    ['https://shop.example.com/\u007f', 'forbidden_character'],
    ['https://shop.example.com/\u0085', 'forbidden_character'],
    ['https://shop.example.com/\u00a0', 'forbidden_character'],
    ['https://shop.example.com/\u2028', 'forbidden_character'],
    ['\ufeffhttps://shop.example.com/', 'forbidden_character'],
    ['https://shop.example.com/\u202etxt.exe', 'forbidden_character'],
    ['https://shop.example.com/\ud800', 'forbidden_character'],
    ['\\\\evil', 'forbidden_character'],
    ['https:\\\\evil.example', 'forbidden_character'],
    ['https://shop.example.com\\@evil', 'forbidden_character'],
    ['https://shop.example.com/"onclick=', 'forbidden_character'],
    ['https://exam<ple.com/', 'forbidden_character'],
    ['https://shop.example.com/>', 'forbidden_character'],
    ['https://shop.example.com/`', 'forbidden_character'],
    ['https://shop.example.com/{a}', 'forbidden_character'],
    ['https://shop.example.com/a|b', 'forbidden_character'],
    ['https://shop.example.com/a^b', 'forbidden_character'],
    ['https://[::1', 'invalid_host'],
    ['https://shop%40evil.example/', 'invalid_host'],
    ['https://shop.example.com:99999/', 'invalid_host'],
    ['https://:443/', 'invalid_host'],
    ['https://1.2.3.4.5/', 'invalid_host'],
    [`https://${`${LABEL}.`.repeat(5)}example/`, 'invalid_host'],
  ])('refuses %p', (value, problem) => {
    expect(returnUrlProblem(value, ANY)).toBe(problem);
  });

  it('allows http only where asked to', () => {
    expect(returnUrlProblem('http://localhost:3000/', ANY)).toBeUndefined();
    expect(returnUrlProblem('http://localhost:3000/', { httpsOnly: true })).toBe('https_required');
    expect(returnUrlProblem('HTTP://localhost:3000/', { httpsOnly: true })).toBe('https_required');
  });

  it('accepts every ordinary address', () => {
    const url = fc.webUrl({ withFragments: true, withQueryParameters: true });
    const withUsualHost = url.filter((text) => new URL(text).hostname.length <= 253);
    fc.assert(
      fc.property(withUsualHost, (text) => {
        expect(returnUrlProblem(text, ANY)).toBeUndefined();
      }),
    );
  });

  it('accepts only what a browser opens by http(s), at the host that is written', () => {
    const start = fc.constantFrom('https://', 'HTTP://', 'https:', 'https:/', '//', '');
    const part = fc.constantFrom(...'/\\:@?#.%[]\t "<a1é', '%40', '%2f', 'evil.example');
    fc.assert(
      fc.property(start, fc.array(part, { maxLength: 8 }), (scheme, parts) => {
        const text = scheme + parts.join('');
        if (returnUrlProblem(text, ANY)) return;
        const url = new URL(text);
        const [, , written = ''] = text.split(/[/?#]/);
        expect(url.origin).toBe(new URL(`${scheme}${written}`).origin);
        expect(url.origin).toMatch(/^https?:\/\/[^/@]+$/);
        expect(url.username + url.password).toBe('');
      }),
      { numRuns: 1000 },
    );
  });
});
