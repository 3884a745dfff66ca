import { isIP } from 'node:net';

/** 16-bit groups of an IPv6 address. */
const GROUPS = 8;
const NETWORK_GROUPS = 4;
const SITE_GROUPS = 3;
/** The limit of a /48 site, in limits of a /64 network. */
const SITE_NETWORKS = 16;

/** A rate limiter's key, and the weight of one use. */
export interface Share {
  readonly holder: string;
  readonly share: number;
}

/**
 * Key of a sender: an IPv4 address, or the /64 of an IPv6 address, since one connection may use all of it. `unknown`
 * for any other text.
 */
export const ipNetwork = (ip: string): string => startOf(ip, NETWORK_GROUPS);

/** As `ipNetwork`, with the /48 of an IPv6 address: a provider may assign all of it to one customer. */
export const ipSite = (ip: string): string => startOf(ip, SITE_GROUPS);

/** Rate limiter keys of an address: its network and, for IPv6, with a lower weight its site. */
export function sharesOf(ip: string): readonly Share[] {
  const [network, site] = [ipNetwork(ip), ipSite(ip)];
  const own = { holder: network, share: 1 };
  return site === network ? [own] : [own, { holder: site, share: 1 / SITE_NETWORKS }];
}

/** Clients control part of the header: the pattern must not backtrack quadratically. */
const BRACKETED_OR_PORT = /\[([^[\]]*)\](?::\d+)?|(\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}):\d+/g;

/** Removes ports from `X-Forwarded-For`: some proxies append the port, which differs per connection. */
export const withoutPorts = (forwarded: string): string =>
  forwarded.replaceAll(BRACKETED_OR_PORT, '$1$2');

function startOf(ip: string, groups: number): string {
  const version = isIP(ip);
  if (version === 0) return 'unknown';
  // With a dot it is an IPv4-mapped address.
  if (version === 4 || ip.includes('.')) return ip;
  const [head = [], tail = []] = ip.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array<string>(GROUPS - head.length - tail.length).fill('0');
  return [...head, ...zeros, ...tail].slice(0, groups).join(':');
}
