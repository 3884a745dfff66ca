import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ApiVersion } from '../../http/api-version.js';
import { inVersion } from './versions.js';

interface CalledRequest extends FastifyRequest {
  /** Left out where everybody may call. */
  readonly caller?: { readonly version: ApiVersion };
}

/** Writes what operations answer in the version that their callers know; bytes stay as they are. */
export function useVersions(fastify: FastifyInstance): void {
  fastify.addHook('preSerialization', ({ caller }: CalledRequest, _reply, answer, done) => {
    done(null, caller ? inVersion(caller.version, answer) : answer);
  });
}
