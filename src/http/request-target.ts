import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Problem } from './problem.js';

/** A name or an address, and a port: no user, path, blank or control character. */
const HOST = /^(?:\[[\da-f:.]+(?:%25[\w.~-]+)?\]|[\w.~-]+)(?::\d{1,5})?$/i;
/** The absolute form of a request's target, RFC 9112, section 3.2.2. */
const ABSOLUTE = /^(https?):\/\/([^/?#]*)([^#]*)/i;
/** Of headers that are one thing by their nature, Node reads the first, and something in front perhaps the last. */
const SINGLE: ReadonlyMap<string, string> = new Map([
  ['host', 'Host'],
  ['authorization', 'Authorization'],
  ['content-type', 'Content-Type'],
]);
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
 * Refuses requests that a proxy in front and this service could take for different ones (RFC 9112, sections 3.2 and
 * 6.1): with two headers of which there can be one, with a Host that is none, with another host in the target, or with a
 * body that not everybody ends at the same byte. The connection ends with them.
 */
export function useRequestTarget(fastify: FastifyInstance, publicUrl: string): void {
  const ownHost = new URL(publicUrl).host;
  fastify.addHook('onRequest', ({ raw }, reply, done) => {
    const detail = headerFault(raw) ?? targetFault(raw, ownHost);
    if (detail === undefined) return done();
    void reply.header('connection', 'close');
    done(new Problem('malformed_request', { detail }));
  });
}

function headerFault({ rawHeaders, headers, httpVersion }: IncomingMessage): string | undefined {
  const seen = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = SINGLE.get(rawHeaders[at]!.toLowerCase());
    if (name === undefined) continue;
    if (seen.has(name)) return `The request has more than one ${name} header.`;
    seen.add(name);
  }
  const coding = headers['transfer-encoding'];
  if (coding === undefined) return undefined;
  if (httpVersion !== '1.1') return 'Transfer-Encoding is of HTTP/1.1 alone.';
  return coding.toLowerCase() === 'chunked'
    ? undefined
    : 'The only Transfer-Encoding that is taken is "chunked".';
}

function targetFault(raw: RewrittenRequest, ownHost: string): string | undefined {
  const { httpVersion, headers } = raw;
  const { host } = headers;
  if (host === undefined && httpVersion === '1.1') return 'The request has no Host header.';
  if (host !== undefined && !HOST.test(host)) return 'The Host header is not a name or an address.';
  const target = raw.originalUrl ?? raw.url ?? '';
  if (target.startsWith('/') || target === '*') return undefined;
  const [, scheme = '', authority = ''] = ABSOLUTE.exec(target) ?? [];
  if (scheme === '') return 'The target of the request is neither a path nor an http address.';
  const wanted = withoutPort(scheme, authority);
  const isOurs = [host ?? '', ownHost].some((each) => withoutPort(scheme, each) === wanted);
  return isOurs ? undefined : 'The target of the request names another host than its Host header.';
}

const withoutPort = (scheme: string, host: string): string =>
  host.toLowerCase().replace(STANDARD_PORT[scheme.toLowerCase()]!, '');
