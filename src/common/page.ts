import type { FastifyReply } from 'fastify';

/** Why there is nothing to be shown. */
export type NoticeKind = 'not_found' | 'unavailable' | 'too_many_requests';

/** A page that belongs to one person: kept by no cache, listed by no search engine. */
export function sendPage(reply: FastifyReply, status: number, html: string): void {
  void reply
    .status(status)
    .headers({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex, nofollow' })
    .type('text/html; charset=utf-8')
    .send(html);
}

const YEAR_SECONDS = 31_536_000;

/** For an asset whose address changes with its content. */
export const forEver = (reply: FastifyReply): FastifyReply =>
  reply.header('cache-control', `public, max-age=${YEAR_SECONDS}, immutable`);
