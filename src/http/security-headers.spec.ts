import { describe, expect, it } from '@jest/globals';
import fastify from 'fastify';
import { useRequestSteps } from './request-steps.js';
import { securityHeaders } from './security-headers.js';

const headersAt = async (url: string, publicUrl = 'https://pay.example') => {
  const server = fastify();
  useRequestSteps(server, (_request, begin) => begin(), [securityHeaders(publicUrl)]);
  server.get('*', async () => 'here');
  return (await server.inject(url)).headers;
};

describe(securityHeaders.name, () => {
  it('lets pages load and run what is their own, and nobody frame them', async () => {
    const headers = await headersAt('/pay/token');
    expect(headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'strict-transport-security': 'max-age=31536000',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
    const policy = String(headers['content-security-policy']).split(';');
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        'upgrade-insecure-requests',
      ]),
    );
    expect(String(policy)).not.toContain('unsafe');
  });

  it.each(['/api/order?txid=1', '/health/live', '/metrics', '/provider-callback/sandbox'])(
    'tells browsers that %s is nothing to show',
    async (url) => {
      const headers = await headersAt(url);
      expect(headers['content-security-policy']).toBe("default-src 'none';frame-ancestors 'none'");
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['strict-transport-security']).toBe('max-age=31536000');
      expect(headers).not.toHaveProperty('referrer-policy');
    },
  );

  it('asks for TLS only where there is some', async () => {
    const headers = await headersAt('/portal', 'http://127.0.0.1:3000');
    expect(headers).not.toHaveProperty('strict-transport-security');
    expect(headers['content-security-policy']).not.toContain('upgrade');
  });
});
