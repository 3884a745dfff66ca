import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

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

const compress = promisify(gzip);

/** A text that many ask for, as sent to those who take it compressed, and to all others. */
export interface Compressible {
  readonly plain: Buffer;
  readonly gzipped: Buffer;
}

export async function compressible(text: string | Buffer): Promise<Compressible> {
  const plain = Buffer.from(text);
  return { plain, gzipped: await compress(plain) };
}

/** Sends an asset whose address changes with its content. */
export function sendAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  type: string,
  { plain, gzipped }: Compressible,
): void {
  const takesGzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
  if (takesGzip) void reply.header('content-encoding', 'gzip');
  void forEver(reply)
    .header('vary', 'accept-encoding')
    .type(type)
    .send(takesGzip ? gzipped : plain);
}
