import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ApiVersion } from '../../common/api-version.js';
import { inVersion } from './versions.js';

interface CalledRequest extends FastifyRequest {
  /** Absent on public routes. */
  readonly caller?: { readonly version: ApiVersion };
}

/** Converts answers to the caller's API version; raw bytes stay unchanged. */
export function useVersions(fastify: FastifyInstance): void {
  fastify.addHook('preSerialization', ({ caller }: CalledRequest, _reply, answer, done) => {
    done(null, caller ? inVersion(caller.version, answer) : answer);
  });
}
