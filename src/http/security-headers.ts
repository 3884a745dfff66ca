import type { RequestStep } from './request-steps.js';

/** Paths for programs, not for browsers. */
const PROGRAMS = /^\/(api|health|metrics|provider-callback)\b/;

/** No external or inline content, and no framing. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];

/** Headers of a response for programs; the policy is for a browser that opens one. */
const PROGRAM_HEADERS = {
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
};

/** Headers of a page, as of helmet 8. */
const PAGE_HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
};

const STRICT_TRANSPORT = { 'strict-transport-security': 'max-age=31536000' };

/** Sets security headers for pages, and fewer for programs. */
export function securityHeaders(publicUrl: string): RequestStep {
  const isSecure = publicUrl.startsWith('https:');
  const transport = isSecure ? STRICT_TRANSPORT : {};
  const policy = isSecure ? [...PAGE_POLICY, 'upgrade-insecure-requests'] : PAGE_POLICY;
  const ofPages = { 'content-security-policy': policy.join(';'), ...PAGE_HEADERS, ...transport };
  const ofPrograms = { ...PROGRAM_HEADERS, ...transport };
  return (request, reply) => {
    void reply.headers(PROGRAMS.test(request.url) ? ofPrograms : ofPages);
    return undefined;
  };
}
