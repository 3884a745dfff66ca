import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Reason for a page without content. */
export type NoticeKind = 'not_found' | 'unavailable' | 'too_many_requests';

/** Headers of personal pages: not cached and not indexed. */
export const PAGE_HEADERS = {
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex, nofollow',
  'content-type': 'text/html; charset=utf-8',
};

export function sendPage(reply: FastifyReply, status: number, html: string): void {
  void reply.status(status).headers(PAGE_HEADERS).send(html);
}

/** Allows redirects after form submissions: browsers apply the page's `form-action` policy to them, too. */
export function allowFormTargets(reply: FastifyReply, origins: readonly string[]): void {
  const policy = String(reply.getHeader(POLICY));
  const targets = ["'self'", ...origins].join(' ');
  void reply.header(POLICY, policy.replace("form-action 'self'", `form-action ${targets}`));
}

const POLICY = 'content-security-policy';

const YEAR_SECONDS = 31_536_000;

/** For assets whose address contains a content hash. */
export const forEver = (reply: FastifyReply): FastifyReply =>
  reply.header('cache-control', `public, max-age=${YEAR_SECONDS}, immutable`);

const compress = promisify(gzip);

/** A text that is kept in compressed and plain form. */
export interface Compressible {
  readonly plain: Buffer;
  readonly gzipped: Buffer;
}

export async function compressible(text: string | Buffer): Promise<Compressible> {
  const plain = Buffer.from(text);
  return { plain, gzipped: await compress(plain) };
}

/** Sends an asset whose address contains a content hash. */
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
