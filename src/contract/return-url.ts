export const RETURN_URL_LENGTH_MAX = 2048;
/** RFC 1035, section 2.3.4, without the root's length byte and dot. */
const HOST_LENGTH_MAX = 253;

export type ReturnUrlProblem =
  | 'not_text'
  | 'too_long'
  | 'forbidden_character'
  | 'not_absolute'
  | 'https_required'
  | 'credentials'
  | 'invalid_host';

/**
 * What RFC 3986 wants percent-encoded and a browser would repair in silence: white space, controls,
 * quotes, brackets, backslashes; and the direction marks RFC 3987, section 4.1, keeps out of links.
 */
const FORBIDDEN = /[\s\p{Cc}\p{Bidi_Control}"<>`{}|^\\]/u;
// The parser reads `https:shop` and `https:///shop` as absolute too: demand both slashes and a host.
const ABSOLUTE = /^http(s?):\/\/([^/?#]+)/i;

/**
 * What is wrong with an address the payer is sent to, or undefined. Only looks: the address is kept
 * as sent. International host names may be written as they are.
 */
export function returnUrlProblem(
  value: unknown,
  options: { readonly httpsOnly: boolean },
): ReturnUrlProblem | undefined {
  if (typeof value !== 'string') return 'not_text';
  if (value.length > RETURN_URL_LENGTH_MAX) return 'too_long';
  if (FORBIDDEN.test(value) || !value.isWellFormed()) return 'forbidden_character';
  const absolute = ABSOLUTE.exec(value);
  if (!absolute) return 'not_absolute';
  const [, secure, authority = ''] = absolute;
  if (options.httpsOnly && !secure) return 'https_required';
  if (authority.includes('@')) return 'credentials';
  const host = URL.parse(value)?.hostname ?? '';
  return host === '' || host.length > HOST_LENGTH_MAX ? 'invalid_host' : undefined;
}
