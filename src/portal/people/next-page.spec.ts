import { describe, expect, it } from '@jest/globals';
import { nextPage } from './next-page.js';

describe(nextPage.name, () => {
  it.each(['/portal', '/portal/security', '/portal/m/0190/test/orders?status=paid&q=a%20b'])(
    'goes to %s',
    (page) => expect(nextPage(page)).toBe(page),
  );

  it.each([
    '',
    '/',
    '/api/order',
    '/portalx',
    '//evil.example/portal',
    '/portal//evil.example',
    '/portal/\\evil.example',
    '/portal/../api/order',
    '/portal/%2e%2e/docs',
    '/portal/..',
    'https://evil.example/portal',
    'javascript:alert(1)',
    '/portal/\r\nset-cookie: a=b',
    `/portal/${'a'.repeat(2_048)}`,
    ['/portal'],
    undefined,
  ])('stays away from %j', (page) => expect(nextPage(page)).toBeNull());
});
