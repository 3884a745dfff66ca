import type { IncomingMessage } from 'node:http';
import { Problem } from './problems/problem.js';
import type { RequestStep } from './request-steps.js';

/** A name or an address with a port: no user, path, blank or control character. */
const HOST = /^(?:\[[\da-f:.]+(?:%25[\w.~-]+)?\]|[\w.~-]+)(?::\d{1,5})?$/i;
/** Absolute form of a request target, RFC 9112, section 3.2.2. */
const ABSOLUTE = /^(https?):\/\/([^/?#]*)(.*)/i;
/**
 * An encoded letter or digit in a path. The router decodes it; hooks, and proxies that block paths such as `/metrics`,
 * compare the text.
 */
const NEEDLESSLY_ENCODED = /^[^?#]*%(?:3\d|[46][1-9a-f]|[57][\da])/i;
/** Headers that must not repeat: Node reads the first, a proxy perhaps the last. */
const SINGLE: ReadonlyMap<string, string> = new Map([
  ['host', 'Host'],
  ['authorization', 'Authorization'],
  ['content-type', 'Content-Type'],
]);
const STANDARD_PORT: Readonly<Record<string, RegExp>> = { http: /:80$/, https: /:443$/ };

/** Node's request after Fastify rewrote its target. */
type RewrittenRequest = IncomingMessage & { readonly originalUrl?: string };

/** Normalises an absolute target to origin form. */
export function originForm(target = '/'): string {
  const [, , , path] = ABSOLUTE.exec(target) ?? [];
  if (path === undefined) return target;
  return path.startsWith('/') ? path : `/${path}`;
}

/**
 * Prevents request smuggling (RFC 9112, sections 3.2 and 6.1): rejects repeated single headers, invalid Host headers, a
 * different host in the target, and bodies with an ambiguous end. Closes the connection.
 */
export function requestTarget(publicUrl: string): RequestStep {
  const ownHost = new URL(publicUrl).host;
  return ({ raw }, reply) => {
    const detail = headerFault(raw) ?? targetFault(raw, ownHost);
    if (detail === undefined) return undefined;
    void reply.header('connection', 'close');
    return new Problem('malformed_request', { detail });
  };
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
  if (target.includes('%') && NEEDLESSLY_ENCODED.test(target))
    return 'The path of the request has percent-encoded letters or digits.';
  if (target.includes('#')) return 'The target of the request has a fragment.';
  if (target.startsWith('/') || target === '*') return undefined;
  const [, scheme = '', authority = ''] = ABSOLUTE.exec(target) ?? [];
  if (scheme === '') return 'The target of the request is neither a path nor an http address.';
  const wanted = withoutPort(scheme, authority);
  const isOurs = [host ?? '', ownHost].some((each) => withoutPort(scheme, each) === wanted);
  return isOurs ? undefined : 'The target of the request names another host than its Host header.';
}

const withoutPort = (scheme: string, host: string): string =>
  host.toLowerCase().replace(STANDARD_PORT[scheme.toLowerCase()]!, '');
