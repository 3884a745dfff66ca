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
 * Characters that RFC 3986 requires percent-encoded and browsers silently repair: white space, controls, quotes,
 * brackets, backslashes; and the direction marks that RFC 3987, section 4.1, excludes from links.
 */
const FORBIDDEN = /[\s\p{Cc}\p{Bidi_Control}"<>`{}|^\\]/u;
// The parser also accepts `https:shop` and `https:///shop`: require both slashes and a host.
const ABSOLUTE = /^http(s?):\/\/([^/?#]+)/i;

/**
 * Explains what is wrong with a return URL, or undefined. Changes nothing: the URL is stored as sent. International
 * host names are allowed.
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
