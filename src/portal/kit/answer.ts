import type { FastifyReply } from 'fastify';
import { PAGE_HEADERS } from '../../http/page.js';

/** Response of a portal handler. */
export interface PageAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Text and bytes are sent as they are, everything else as JSON. */
  readonly body?: unknown;
}

export const page = (html: string, status = 200): PageAnswer => ({
  status,
  headers: PAGE_HEADERS,
  body: html,
});

/** The form with its problems. */
export const invalid = (html: string): PageAnswer => page(html, 422);

/** Redirect after a POST, so that a reload resubmits nothing. */
export const seeOther = (location: string): PageAnswer => ({
  status: 303,
  headers: { ...UNKEPT, location },
});

export const json = (body: object): PageAnswer => ({
  status: 200,
  headers: { ...UNKEPT, 'content-type': 'application/json' },
  body,
});

/** File download. */
export const attachment = (filename: string, contentType: string, body: Buffer): PageAnswer => ({
  status: 200,
  headers: {
    ...UNKEPT,
    'content-disposition': `attachment; filename="${filename}"`,
    'content-type': contentType,
  },
  body,
});

/** Applies status and headers; the caller sends the body. */
export const prepare = (reply: FastifyReply, { status, headers }: PageAnswer): FastifyReply =>
  reply.status(status).headers(headers);

const UNKEPT = { 'cache-control': 'no-store' };
