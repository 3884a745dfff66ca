import type { FastifyReply } from 'fastify';

/** Why there is nothing to be shown. */
export type NoticeKind = 'not_found' | 'unavailable' | 'too_many_requests';

/** Of a page that belongs to one person: kept by no cache, listed by no search engine. */
export const PAGE_HEADERS = {
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex, nofollow',
  'content-type': 'text/html; charset=utf-8',
};

export function sendPage(reply: FastifyReply, status: number, html: string): void {
  void reply.status(status).headers(PAGE_HEADERS).send(html);
}

/** Browsers hold a form to its page's policy also where the answer leads on: these places are fine. */
export function letFormsLeadTo(reply: FastifyReply, origins: readonly string[]): void {
  const policy = String(reply.getHeader(POLICY));
  const targets = ["'self'", ...origins].join(' ');
  void reply.header(POLICY, policy.replace("form-action 'self'", `form-action ${targets}`));
}

const POLICY = 'content-security-policy';

const YEAR_SECONDS = 31_536_000;

/** For an asset whose address changes with its content. */
export const forEver = (reply: FastifyReply): FastifyReply =>
  reply.header('cache-control', `public, max-age=${YEAR_SECONDS}, immutable`);
