import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Problem } from './problem.js';

/** A name or an address, and a port: no user, path, blank or control character. */
const HOST = /^(?:\[[\da-f:.]+(?:%25[\w.~-]+)?\]|[\w.~-]+)(?::\d{1,5})?$/i;
/** The absolute form of a request's target, RFC 9112, section 3.2.2. */
const ABSOLUTE = /^(https?):\/\/([^/?#]*)([^#]*)/i;
const STANDARD_PORT: Readonly<Record<string, RegExp>> = { http: /:80$/, https: /:443$/ };

/** Node's request, as Fastify leaves it behind when it writes the target anew. */
type RewrittenRequest = IncomingMessage & { readonly originalUrl?: string };

/** The target as every other part of the service reads it: an absolute one without its host. */
export function originForm(target = '/'): string {
  const [, , , path] = ABSOLUTE.exec(target) ?? [];
  if (path === undefined) return target;
  return path.startsWith('/') ? path : `/${path}`;
}

/**
 * Refuses requests that a proxy in front and this service could take for requests to different hosts (RFC 9112, section
 * 3.2): with several Host headers, with one that is no host, or with another host in the target.
 */
export function useRequestTarget(fastify: FastifyInstance, publicUrl: string): void {
  const ownHost = new URL(publicUrl).host;
  fastify.addHook('onRequest', ({ raw }, _reply, done) => {
    const detail = targetFault(raw, ownHost);
    if (detail === undefined) done();
    else done(new Problem('malformed_request', { detail }));
  });
}

function targetFault(raw: RewrittenRequest, ownHost: string): string | undefined {
  const { httpVersion, headers } = raw;
  const count = hostHeaders(raw);
  if (count > 1) return 'The request has more than one Host header.';
  if (count === 0 && httpVersion === '1.1') return 'The request has no Host header.';
  const host = headers.host ?? '';
  if (count === 1 && !HOST.test(host)) return 'The Host header is not a name or an address.';
  const target = raw.originalUrl ?? raw.url ?? '';
  if (target.startsWith('/') || target === '*') return undefined;
  const [, scheme = '', authority = ''] = ABSOLUTE.exec(target) ?? [];
  if (scheme === '') return 'The target of the request is neither a path nor an http address.';
  const wanted = withoutPort(scheme, authority);
  const isOurs = [host, ownHost].some((each) => withoutPort(scheme, each) === wanted);
  return isOurs ? undefined : 'The target of the request names another host than its Host header.';
}

/** Node keeps the first one alone in `headers`. */
function hostHeaders({ rawHeaders }: IncomingMessage): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count;
}

const withoutPort = (scheme: string, host: string): string =>
  host.toLowerCase().replace(STANDARD_PORT[scheme.toLowerCase()]!, '');
