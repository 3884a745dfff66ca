import type { FastifyReply, FastifyRequest } from 'fastify';
import { chooseLocale, type Locale } from '../common/locale.js';

export const LANGUAGE_COOKIE = 'lang';

/** The language to answer in, as far as the request and its order tell. */
export const localeOf = (request: FastifyRequest, order: string | null): Locale =>
  chooseLocale({
    query: (request.query as { lang?: unknown }).lang,
    order,
    cookie: languageCookie(request),
    acceptLanguage: request.headers['accept-language'] ?? null,
  });

export function sendPage(reply: FastifyReply, status: number, html: string): void {
  void reply
    .status(status)
    .headers({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex, nofollow' })
    .type('text/html; charset=utf-8')
    .send(html);
}

const languageCookie = (request: FastifyRequest): string | null =>
  /(?:^|;\s*)lang=([a-z]{2})(?:;|$)/.exec(request.headers.cookie ?? '')?.[1] ?? null;
