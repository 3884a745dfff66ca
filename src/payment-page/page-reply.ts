import type { FastifyRequest } from 'fastify';
import { chooseLocale, type Locale } from '../common/locale.js';

export const LANGUAGE_COOKIE = 'lang';

/** The language to answer in, as far as the request and its order tell. */
export const localeOf = (request: FastifyRequest, order: string | null): Locale =>
  chooseLocale({
    query: (request.query as { lang?: unknown }).lang,
    order,
    cookie: request.cookies[LANGUAGE_COOKIE] ?? null,
    acceptLanguage: request.headers['accept-language'] ?? null,
  });
