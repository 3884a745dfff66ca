import { isIP } from 'node:net';

/** 16-bit groups of an IPv6 address, and how many of them name the network. */
const GROUPS = 8;
const NETWORK_GROUPS = 4;
const SITE_GROUPS = 3;
/** All networks of a site have together what so many have. */
const SITE_NETWORKS = 16;

/** Addresses that have a limit together, and which part of it each use of one takes. */
export interface Share {
  readonly holder: string;
  readonly share: number;
}

/**
 * The addresses that count as one sender: an IPv4 address alone, an IPv6 address with its whole
 * /64, all of which a single connection may use. All that is no address counts as one.
 */
export const ipNetwork = (ip: string): string => startOf(ip, NETWORK_GROUPS);

/** The same with the /48 of an IPv6 address, of which one customer of a provider may have all networks. */
export const ipSite = (ip: string): string => startOf(ip, SITE_GROUPS);

/** What counts for an address: its network and, of IPv6, a part of what its site has. */
export function sharesOf(ip: string): readonly Share[] {
  const [network, site] = [ipNetwork(ip), ipSite(ip)];
  const own = { holder: network, share: 1 };
  return site === network ? [own] : [own, { holder: site, share: 1 / SITE_NETWORKS }];
}

/** What a client sends stands in it, too: no part is looked at from more than a few places. */
const BRACKETED_OR_PORT = /\[([^[\]]*)\](?::\d+)?|(\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}):\d+/g;

/** `X-Forwarded-For` of proxies that write the port beside the address, which differs for each connection. */
export const withoutPorts = (forwarded: string): string =>
  forwarded.replaceAll(BRACKETED_OR_PORT, '$1$2');

function startOf(ip: string, groups: number): string {
  const version = isIP(ip);
  if (version === 0) return 'unknown';
  // With a dot it is an IPv4 address, written inside an IPv6 address.
  if (version === 4 || ip.includes('.')) return ip;
  const [head = [], tail = []] = ip.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array<string>(GROUPS - head.length - tail.length).fill('0');
  return [...head, ...zeros, ...tail].slice(0, groups).join(':');
}
