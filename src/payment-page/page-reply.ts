import type { FastifyRequest } from 'fastify';
import { chooseLocale, type Locale } from '../common/locale.js';

export const LANGUAGE_COOKIE = 'lang';

/** Language of the answer, from the request and its order. */
export const localeOf = (request: FastifyRequest, order: string | null): Locale =>
  chooseLocale({
    query: (request.query as { lang?: unknown }).lang,
    order,
    cookie: request.cookies[LANGUAGE_COOKIE] ?? null,
    acceptLanguage: request.headers['accept-language'] ?? null,
  });
