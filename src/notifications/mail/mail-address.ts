import { domainToASCII } from 'node:url';

/** RFC 5321, section 4.5.3.1.3, without the angle brackets. */
export const ADDRESS_LENGTH_MAX = 254;
/** RFC 5321, section 4.5.3.1.1. */
const LOCAL_LENGTH_MAX = 64;

/** A dot-atom of RFC 5322: nothing that would need quotes, and nothing that could leave a header. */
const LOCAL = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
/** What no domain has in any script; the URL parser would repair some of it in silence. */
const FORBIDDEN = /[\s<>,;:"()[\]\\@%\p{C}]/u;
const DOMAIN = /^([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{0,61}[a-z\d]$/;

/**
 * The address as it is kept and sent to: in lower case, the domain in ASCII (RFC 5890); undefined
 * for everything that is not the address of one mailbox.
 */
export function mailAddress(text: string): string | undefined {
  const [local = '', domain = '', ...rest] = text.split('@');
  if (rest.length > 0 || local.length > LOCAL_LENGTH_MAX || !LOCAL.test(local)) return undefined;
  if (FORBIDDEN.test(domain)) return undefined;
  const ascii = domainToASCII(domain).toLowerCase();
  const address = `${local.toLowerCase()}@${ascii}`;
  return DOMAIN.test(ascii) && address.length <= ADDRESS_LENGTH_MAX ? address : undefined;
}
