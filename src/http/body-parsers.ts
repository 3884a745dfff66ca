import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ArrivingForm } from './file-form.js';
import { FormBody } from './form-body.js';
import { Problem } from './problems/problem.js';
import {
  JSON_VALUES_MAX,
  MalformedJsonError,
  type MalformedJsonReason,
  parseJson,
} from './strict-json.js';

/** Maximum bytes of a request body. */
export const BODY_LIMIT = 64 * 1024;

/** Route setting: the handler gets the raw body, which a signature covers. */
export const RAW_BODY = { rawBody: true } as const;

/** Route setting: accepts any form and ignores its content. */
export const ANY_FORM = { anyForm: true } as const;

/** Methods whose requests have a body. */
export const TAKES_BODY: ReadonlySet<string> = new Set(['POST', 'PATCH']);

const REASONS: Record<MalformedJsonReason, string> = {
  empty: 'The body is empty.',
  not_utf8: 'The body is not valid UTF-8.',
  too_deep: 'The body is nested too deep.',
  too_many_values: `The body has more than ${JSON_VALUES_MAX} members and entries.`,
  syntax: 'The body is not JSON.',
  duplicate_key: 'An object in the body names a member twice.',
  forbidden_key: 'An object in the body has a member named __proto__.',
};

const wantsBytes = (request: FastifyRequest): boolean =>
  (request.routeOptions.config as { rawBody?: boolean }).rawBody === true;

const sizes = new WeakMap<FastifyRequest, number>();

/** Bytes of the request's JSON body. */
export const bodyBytes = (request: FastifyRequest): number => sizes.get(request) ?? 0;

function parseJsonBody(request: FastifyRequest, body: Buffer): unknown {
  sizes.set(request, body.length);
  if (wantsBytes(request)) return body;
  try {
    return parseJson(body);
  } catch (error) {
    if (!(error instanceof MalformedJsonError)) throw error;
    throw new Problem('malformed_json', { detail: REASONS[error.reason] });
  }
}

/** Accepts JSON in UTF-8 and forms; everything else is 415. */
export function useBodyParsers(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  // Many clients send a content type with every request, so it is ignored without a body.
  fastify.addHttpMethod('DELETE', { hasBody: false, overrideExisting: true });
  fastify.addHook('preParsing', (request, _reply, _payload, done) => {
    if (!TAKES_BODY.has(request.method)) return done(null);
    const encoded = request.headers['content-encoding'] !== undefined;
    const charset = /charset\s*=\s*"?([^\s;"]+)/i.exec(request.headers['content-type'] ?? '')?.[1];
    const unsupported = encoded || (charset !== undefined && !/^utf-?8$/i.test(charset));
    done(unsupported ? new Problem('unsupported_media_type') : null);
  });
  fastify.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: BODY_LIMIT },
    (request, body, done) => {
      try {
        done(null, parseJsonBody(request, body as Buffer));
      } catch (error) {
        done(error as Error);
      }
    },
  );
  fastify.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer', bodyLimit: BODY_LIMIT },
    (request, body, done) => done(null, wantsBytes(request) ? body : new FormBody(body as Buffer)),
  );
  fastify.addContentTypeParser('multipart/form-data', (request, payload, done) => {
    const { anyForm, fileForm } = request.routeOptions.config as FormSettings;
    if (fileForm) return done(null, new ArrivingForm(payload, request.headers['content-type']!));
    skip(payload).then(
      () => done(anyForm ? null : new Problem('unsupported_media_type')),
      (error: Error) => done(error),
    );
  });
}

interface FormSettings {
  readonly anyForm?: boolean;
  readonly fileForm?: boolean;
}

/** Discards a body, up to the body limit. */
async function skip(payload: AsyncIterable<Buffer>): Promise<void> {
  let length = 0;
  for await (const chunk of payload) {
    length += chunk.length;
    if (length > BODY_LIMIT) throw new Problem('body_too_large');
  }
}
