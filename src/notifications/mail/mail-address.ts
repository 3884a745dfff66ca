import { domainToASCII } from 'node:url';

/** RFC 5321, section 4.5.3.1.3, without angle brackets. */
export const ADDRESS_LENGTH_MAX = 254;
/** RFC 5321, section 4.5.3.1.1. */
const LOCAL_LENGTH_MAX = 64;
/** RFC 5321, section 4.5.3.1.2. `domainToASCII` takes quadratic time. */
const DOMAIN_LENGTH_MAX = 255;

/** Dot-atom of RFC 5322: needs no quoting and cannot inject headers. */
const LOCAL = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
/** Invalid in domains of any script; the URL parser would silently repair some of it. */
const FORBIDDEN = /[\s<>,;:"()[\]\\@%\p{C}]/u;
const DOMAIN = /^([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{0,61}[a-z\d]$/;

/** Normalised address: lower case, domain in ASCII (RFC 5890). Undefined for anything but a single mailbox. */
export function mailAddress(text: string): string | undefined {
  const [local = '', domain = '', ...rest] = text.split('@');
  if (rest.length > 0 || local.length > LOCAL_LENGTH_MAX || !LOCAL.test(local)) return undefined;
  if (domain.length > DOMAIN_LENGTH_MAX || FORBIDDEN.test(domain)) return undefined;
  const ascii = domainToASCII(domain).toLowerCase();
  const address = `${local.toLowerCase()}@${ascii}`;
  return DOMAIN.test(ascii) && address.length <= ADDRESS_LENGTH_MAX ? address : undefined;
}
