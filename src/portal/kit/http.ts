import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { FileForm } from '../../http/file-form.js';
import type { KnownBrowser } from '../../people/sessions/sessions.service.js';

/** The form that was sent; empty when something else was. */
export const formOf = ({ body }: FastifyRequest): URLSearchParams =>
  body instanceof URLSearchParams ? body : new URLSearchParams();

/** The form that was sent to a handler. */
export const Form = createParamDecorator((_: unknown, context: ExecutionContext) =>
  formOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

/** The parameters of the address. */
export const SearchParams = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { url } = context.switchToHttp().getRequest<FastifyRequest>();
  const start = url.indexOf('?');
  return new URLSearchParams(start < 0 ? '' : url.slice(start));
});

/** Where somebody signs in from. */
export const CurrentBrowser = createParamDecorator(
  (_: unknown, context: ExecutionContext): KnownBrowser => {
    const { ip, headers } = context.switchToHttp().getRequest<FastifyRequest>();
    return { address: ip, agent: headers['user-agent'] ?? '' };
  },
);

/** U+0000 as an address carries it, also inside an address that a form carries. */
const NUL_IN_ADDRESS = /%(?:25)*00/;

/** Whether the address or the form holds the one character that no text in the database may have. */
export function hasNul(request: FastifyRequest): boolean {
  const form = formOf(request);
  const file = form instanceof FileForm ? (form.file?.name ?? '') : '';
  const values = [...form, file].flat();
  const query = form.get('query') ?? '';
  return NUL_IN_ADDRESS.test(request.url + query) || values.some((text) => text.includes('\0'));
}
