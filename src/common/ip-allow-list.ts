import { BlockList, isIP } from 'node:net';

interface IpRange {
  readonly address: string;
  readonly bits: number;
  readonly family: 'ipv4' | 'ipv6';
}

// Building a list costs twenty times a lookup, so it is cached for the lifetime of the array.
const lists = new WeakMap<readonly string[], BlockList>();

/** An IPv4 or IPv6 address, alone or with a prefix length: `192.0.2.7`, `2001:db8::/32`. */
export function isIpRange(text: string): boolean {
  return parseIpRange(text) !== undefined;
}

/**
 * Whether an address is in one of the ranges. An IPv4-mapped IPv6 address counts as IPv4. Fails closed: an empty list
 * or an invalid range allows nothing. The array is cached: pass a new one instead of changing it.
 */
export function ipAllowed(ip: string, ranges: readonly string[]): boolean {
  const family = familyOf(ip);
  if (!family) return false;
  const list = lists.get(ranges) ?? buildList(ranges);
  lists.set(ranges, list);
  return list.check(ip, family);
}

function buildList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of ranges) {
    const range = parseIpRange(text);
    if (range) list.addSubnet(range.address, range.bits, range.family);
  }
  return list;
}

function parseIpRange(text: string): IpRange | undefined {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = familyOf(address);
  if (!family || address.includes('%') || rest.length > 0) return undefined;
  const bitsMax = family === 'ipv4' ? 32 : 128;
  if (prefix === undefined) return { address, bits: bitsMax, family };
  if (!/^(0|[1-9]\d{0,2})$/.test(prefix) || Number(prefix) > bitsMax) return undefined;
  return { address, bits: Number(prefix), family };
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = isIP(address);
  if (version === 0) return undefined;
  return version === 4 ? 'ipv4' : 'ipv6';
}
