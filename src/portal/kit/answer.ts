import type { FastifyReply } from 'fastify';
import { PAGE_HEADERS } from '../../http/page.js';

/** What a handler of the portal answers. */
export interface PageAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Text and bytes as they are, everything else as JSON. */
  readonly body?: unknown;
}

export const page = (html: string, status = 200): PageAnswer => ({
  status,
  headers: PAGE_HEADERS,
  body: html,
});

/** The form once more, with what is wrong in it. */
export const invalid = (html: string): PageAnswer => page(html, 422);

/** After a form, and by a GET: a reload sends nothing twice. */
export const seeOther = (location: string): PageAnswer => ({
  status: 303,
  headers: { ...UNKEPT, location },
});

export const json = (body: object): PageAnswer => ({
  status: 200,
  headers: { ...UNKEPT, 'content-type': 'application/json' },
  body,
});

/** A file that the browser saves. */
export const attachment = (filename: string, contentType: string, body: Buffer): PageAnswer => ({
  status: 200,
  headers: {
    ...UNKEPT,
    'content-disposition': `attachment; filename="${filename}"`,
    'content-type': contentType,
  },
  body,
});

/** The reply as the answer has it; its body is still to be sent. */
export const prepare = (reply: FastifyReply, { status, headers }: PageAnswer): FastifyReply =>
  reply.status(status).headers(headers);

const UNKEPT = { 'cache-control': 'no-store' };
