import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { FileForm } from '../../http/file-form.js';
import { formOf } from '../../http/form-body.js';
import type { KnownBrowser } from '../../people/sessions/sessions.service.js';

/** Injects the submitted form. */
export const Form = createParamDecorator((_: unknown, context: ExecutionContext) =>
  formOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

/** Injects the query parameters. */
export const SearchParams = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { url } = context.switchToHttp().getRequest<FastifyRequest>();
  const start = url.indexOf('?');
  return new URLSearchParams(start < 0 ? '' : url.slice(start));
});

/** Injects IP address and user agent of the client. */
export const CurrentBrowser = createParamDecorator(
  (_: unknown, context: ExecutionContext): KnownBrowser => {
    const { ip, headers } = context.switchToHttp().getRequest<FastifyRequest>();
    return { address: ip, agent: headers['user-agent'] ?? '' };
  },
);

/** Percent-encoded U+0000, also double-encoded in a URL inside a form. */
const NUL_IN_ADDRESS = /%(?:25)*00/;

/** Whether the URL or form contains U+0000, which PostgreSQL texts cannot store. */
export function hasNul(request: FastifyRequest): boolean {
  const form = formOf(request);
  const file = form instanceof FileForm ? (form.file?.name ?? '') : '';
  const values = [...form, file].flat();
  const query = form.get('query') ?? '';
  return NUL_IN_ADDRESS.test(request.url + query) || values.some((text) => text.includes('\0'));
}
