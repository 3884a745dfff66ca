import { isIPv6 } from 'node:net';

/** 16-bit groups of an IPv6 address, and how many of them name the network. */
const GROUPS = 8;
const NETWORK_GROUPS = 4;

/**
 * The addresses that count as one sender: an IPv4 address alone, an IPv6 address with its whole
 * /64, all of which a single connection may use. What is no address is given back as it is.
 */
export function ipNetwork(ip: string): string {
  // With a dot it is an IPv4 address, written inside an IPv6 address.
  if (!isIPv6(ip) || ip.includes('.')) return ip;
  const [head = [], tail = []] = ip.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array<string>(GROUPS - head.length - tail.length).fill('0');
  return [...head, ...zeros, ...tail].slice(0, NETWORK_GROUPS).join(':');
}
