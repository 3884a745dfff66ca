import type { FastifyReply, FastifyRequest } from 'fastify';
import { chooseLocale, type Locale } from '../../common/locale.js';

/** The language to answer in where no recipient is known. */
export const localeOf = (request: FastifyRequest): Locale =>
  chooseLocale({ acceptLanguage: request.headers['accept-language'] ?? null });

export function sendPage(reply: FastifyReply, status: number, html: string): void {
  void reply
    .status(status)
    .headers({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex, nofollow' })
    .type('text/html; charset=utf-8')
    .send(html);
}
